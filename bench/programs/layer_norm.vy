// Rows shifted and scaled to mean 0 and variance 1, then by learned weights; a row per invocation.
program layer_norm {
  uniform rows: u32 = 4096
  uniform n: u32 = 1024
  buffer x: f32[rows * n] read
  buffer weight: f32[n] read
  buffer bias: f32[n] read
  buffer y: f32[rows * n] write
  grid rows
  reassociate

  let start = invocation.x * n
  var sum = 0.0
  for i in 0 .. n {
    sum = sum + x[start + i]
  }
  let mean = sum / f32(n)
  var squares = 0.0
  for i in 0 .. n {
    let d = x[start + i] - mean
    squares = squares + d * d
  }
  let scale = 1.0 / sqrt(squares / f32(n) + 1e-5)
  for i in 0 .. n {
    y[start + i] = (x[start + i] - mean) * scale * weight[i] + bias[i]
  }
}
