// y = a x + y, one element per invocation.
program saxpy {
  uniform n: u32 = 2000000
  uniform a: f32 = 2.0
  buffer x: f32[n] read
  buffer y: f32[n] read_write
  grid n
  workgroup 64

  let i = invocation.x
  y[i] = fma(a, x[i], y[i])
}
