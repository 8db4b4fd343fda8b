// Each channel of a batch of images shifted and scaled by what was learned of it.
program batch_norm {
  uniform batch: u32 = 16
  uniform channels: u32 = 64
  uniform size: u32 = 16384
  buffer x: f32[batch * channels * size] read
  buffer mean: f32[channels] read
  buffer variance: f32[channels] read
  buffer weight: f32[channels] read
  buffer bias: f32[channels] read
  buffer y: f32[batch * channels * size] write
  grid batch * channels * size

  let i = invocation.x
  let c = i / size % channels
  y[i] = (x[i] - mean[c]) / sqrt(variance[c] + 1e-5) * weight[c] + bias[c]
}
