// c = a b for matrices m x k and k x n, row major, one element of c per invocation.
program gemm {
  uniform m: u32 = 384
  uniform n: u32 = 384
  uniform k: u32 = 384
  buffer a: f32[m * k] read
  buffer b: f32[k * n] read
  buffer c: f32[m * n] write
  grid n, m
  workgroup 64

  let col = invocation.x
  let row = invocation.y
  var sum = 0.0
  for i in 0 .. k {
    sum = fma(a[row * k + i], b[i * n + col], sum)
  }
  c[row * n + col] = sum
}
