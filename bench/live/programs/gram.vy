// The products of the columns of a matrix with each other.
program gram {
  uniform n: u32 = 256
  uniform k: u32 = 512
  buffer a: f32[k * n] read
  buffer g: f32[n * n] write
  grid n, n
  workgroup 64

  var sum = 0.0
  for i in 0 .. k {
    sum = fma(a[i * n + invocation.y], a[i * n + invocation.x], sum)
  }
  g[invocation.y * n + invocation.x] = sum
}
