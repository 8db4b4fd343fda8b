// A matrix plus the product of a column and a row.
program outer {
  uniform m: u32 = 1024
  uniform n: u32 = 1024
  buffer u: f32[m] read
  buffer v: f32[n] read
  buffer a: f32[m * n] read_write
  grid n, m
  workgroup 64

  let i = invocation.y * n + invocation.x
  a[i] = fma(u[invocation.y], v[invocation.x], a[i])
}
