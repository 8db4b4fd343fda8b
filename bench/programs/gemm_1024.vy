// A matrix times a matrix.
program gemm_1024 {
  uniform m: u32 = 1024
  uniform n: u32 = 1024
  uniform k: u32 = 1024
  buffer a: f32[m * k] read
  buffer b: f32[k * n] read
  buffer c: f32[m * n] write
  grid n, m
  reassociate

  let col = invocation.x
  let row = invocation.y
  var sum = 0.0
  for i in 0 .. k {
    sum = sum + a[row * k + i] * b[i * n + col]
  }
  c[row * n + col] = sum
}
