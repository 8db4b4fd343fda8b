// An image of twice the size, each pixel from the four nearest.
program bilinear_upsample {
  uniform w: u32 = 2048
  uniform h: u32 = 2048
  buffer image: f32[w * h] read
  buffer out: f32[4 * w * h] write
  grid 2 * w, 2 * h
  reassociate

  let fx = max(f32(invocation.x) * 0.5 - 0.25, 0.0)
  let fy = max(f32(invocation.y) * 0.5 - 0.25, 0.0)
  let x0 = u32(fx)
  let y0 = u32(fy)
  let x1 = min(x0 + 1, w - 1)
  let y1 = min(y0 + 1, h - 1)
  let tx = fx - f32(x0)
  let ty = fy - f32(y0)
  let above = image[y0 * w + x0] * (1.0 - tx) + image[y0 * w + x1] * tx
  let below = image[y1 * w + x0] * (1.0 - tx) + image[y1 * w + x1] * tx
  out[invocation.y * 2 * w + invocation.x] = above * (1.0 - ty) + below * ty
}
