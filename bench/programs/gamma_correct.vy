// Linear light to what a display takes.
program gamma_correct {
  uniform n: u32 = 4194304
  buffer light: f32[n] read
  buffer shown: f32[n] write
  grid n

  let v = min(max(light[invocation.x], 0.0), 1.0)
  shown[invocation.x] = select(v <= 0.0031308, 12.92 * v, 1.055 * pow(v, 0.41666667) - 0.055)
}
