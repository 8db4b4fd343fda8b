// The means of 3 x 3 pixels around every other one, of those inside the image.
program avg_pool {
  uniform w: u32 = 256
  uniform h: u32 = 256
  uniform channels: u32 = 192
  buffer image: f32[channels * h * w] read
  buffer out: f32[channels * ((h + 1) / 2) * ((w + 1) / 2)] write
  grid (w + 1) / 2, (h + 1) / 2, channels
  reassociate

  let x = invocation.x
  let y = invocation.y
  let c = invocation.z
  let top = max(2 * y, 1) - 1
  let bottom = min(2 * y + 2, h)
  let left = max(2 * x, 1) - 1
  let right = min(2 * x + 2, w)
  var sum = 0.0
  for row in top .. bottom {
    for column in left .. right {
      sum += image[(c * h + row) * w + column]
    }
  }
  out[(c * ((h + 1) / 2) + y) * ((w + 1) / 2) + x] = sum / f32((bottom - top) * (right - left))
}
