// The usual approximation of the Gaussian error linear unit.
program gelu {
  uniform n: u32 = 16777216
  buffer x: f32[n] read
  buffer y: f32[n] write
  grid n

  let v = x[invocation.x]
  y[invocation.x] = 0.5 * v * (1.0 + tanh(0.7978846 * (v + 0.044715 * v * v * v)))
}
