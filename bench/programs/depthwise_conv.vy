// A filter of 3 x 3 for each channel; the input is one wider on every side than the output.
program depthwise_conv {
  uniform w: u32 = 256
  uniform h: u32 = 256
  uniform channels: u32 = 192
  buffer image: f32[(w + 2) * (h + 2) * channels] read
  buffer filter: f32[9 * channels] read
  buffer out: f32[w * h * channels] write
  grid w, h, channels
  reassociate

  let x = invocation.x
  let y = invocation.y
  let c = invocation.z
  var sum = 0.0
  for j in 0 .. 3 {
    for i in 0 .. 3 {
      sum = sum + filter[c * 9 + j * 3 + i] * image[(c * (h + 2) + y + j) * (w + 2) + x + i]
    }
  }
  out[(c * h + y) * w + x] = sum
}
