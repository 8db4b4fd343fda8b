// How the columns of a table vary together, from their means.
program covariance {
  uniform samples: u32 = 2048
  uniform m: u32 = 256
  buffer x: f32[samples * m] read
  buffer mean: f32[m] read
  buffer cov: f32[m * m] write
  grid m, m
  reassociate

  let i = invocation.y
  let j = invocation.x
  var sum = 0.0
  for k in 0 .. samples {
    sum = sum + (x[k * m + i] - mean[i]) * (x[k * m + j] - mean[j])
  }
  cov[i * m + j] = sum / f32(samples - 1)
}
