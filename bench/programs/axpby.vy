// y = a x + b y.
program axpby {
  uniform n: u32 = 16777216
  uniform a: f32 = 1.5
  uniform b: f32 = 0.5
  buffer x: f32[n] read
  buffer y: f32[n] read_write
  grid n
  reassociate

  let i = invocation.x
  y[i] = a * x[i] + b * y[i]
}
