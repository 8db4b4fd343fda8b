// A layer of 3 x 3 convolutions over all channels of a padded image, with a bias, cut off at 0.
program conv_layer {
  uniform w: u32 = 56
  uniform h: u32 = 56
  uniform channels: u32 = 64
  uniform filters: u32 = 64
  buffer image: f32[channels * (h + 2) * (w + 2)] read
  buffer weight: f32[filters * channels * 9] read
  buffer bias: f32[filters] read
  buffer out: f32[filters * h * w] write
  grid w, h, filters
  reassociate

  let x = invocation.x
  let y = invocation.y
  let o = invocation.z
  var sum = bias[o]
  for c in 0 .. channels {
    for j in 0 .. 3 {
      for i in 0 .. 3 {
        sum += image[(c * (h + 2) + y + j) * (w + 2) + x + i] * weight[(o * channels + c) * 9 + j * 3 + i]
      }
    }
  }
  out[(o * h + y) * w + x] = max(sum, 0.0)
}
