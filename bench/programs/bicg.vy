// Both products of a step of biconjugate gradients: a p and the transpose of a times r.
program bicg {
  uniform n: u32 = 4096
  buffer a: f32[n * n] read
  buffer p: f32[n] read
  buffer r: f32[n] read
  buffer q: f32[n] write
  buffer s: f32[n] write
  grid n
  reassociate

  let i = invocation.x
  var along = 0.0
  var across = 0.0
  for j in 0 .. n {
    along = along + a[i * n + j] * p[j]
    across = across + a[j * n + i] * r[j]
  }
  q[i] = along
  s[i] = across
}
