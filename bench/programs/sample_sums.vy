// Sums of waves of many frequencies at many places, as images are made of samples in magnetic resonance.
program sample_sums {
  uniform places: u32 = 16384
  uniform samples: u32 = 512
  buffer x: f32[places] read
  buffer y: f32[places] read
  buffer z: f32[places] read
  buffer kx: f32[samples] read
  buffer ky: f32[samples] read
  buffer kz: f32[samples] read
  buffer weight: f32[samples] read
  buffer re: f32[places] write
  buffer im: f32[places] write
  grid places
  reassociate

  let i = invocation.x
  var sum_re = 0.0
  var sum_im = 0.0
  for k in 0 .. samples {
    let angle = 6.2831853 * (kx[k] * x[i] + ky[k] * y[i] + kz[k] * z[i])
    sum_re += weight[k] * cos(angle)
    sum_im += weight[k] * sin(angle)
  }
  re[i] = sum_re
  im[i] = sum_im
}
