// Products of complex numbers, real and imaginary parts side by side.
program complex_multiply {
  uniform n: u32 = 8388608
  buffer a: f32[2 * n] read
  buffer b: f32[2 * n] read
  buffer c: f32[2 * n] write
  grid n
  reassociate

  let i = invocation.x
  let ar = a[2 * i]
  let ai = a[2 * i + 1]
  let br = b[2 * i]
  let bi = b[2 * i + 1]
  c[2 * i] = ar * br - ai * bi
  c[2 * i + 1] = ar * bi + ai * br
}
