// c = alpha a b + beta c.
program gemm_scaled {
  uniform m: u32 = 512
  uniform n: u32 = 512
  uniform k: u32 = 512
  uniform alpha: f32 = 1.5
  uniform beta: f32 = 0.5
  buffer a: f32[m * k] read
  buffer b: f32[k * n] read
  buffer c: f32[m * n] read_write
  grid n, m
  reassociate

  let col = invocation.x
  let row = invocation.y
  var sum = beta * c[row * n + col]
  for i in 0 .. k {
    sum = sum + alpha * a[row * k + i] * b[i * n + col]
  }
  c[row * n + col] = sum
}
