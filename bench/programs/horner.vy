// A polynomial of degree 15 at each place.
program horner {
  uniform n: u32 = 16777216
  buffer x: f32[n] read
  buffer c: f32[16] read
  buffer y: f32[n] write
  grid n
  reassociate

  let i = invocation.x
  var value = 0.0
  for k in 0 .. 16 {
    value = value * x[i] + c[15 - k]
  }
  y[i] = value
}
