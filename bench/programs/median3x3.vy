// The median of the 3 x 3 pixels around each, the border as it is.
program median3x3 {
  uniform w: u32 = 2048
  uniform h: u32 = 2048
  buffer image: f32[w * h] read
  buffer out: f32[w * h] write
  private v: f32[9]
  grid w, h

  let x = invocation.x
  let y = invocation.y
  if x > 0 & y > 0 & x < w - 1 & y < h - 1 {
    for j in 0 .. 3 {
      for i in 0 .. 3 {
        v[j * 3 + i] = image[(y + j - 1) * w + x + i - 1]
      }
    }
    for i in 0 .. 5 {
      for j in i + 1 .. 9 {
        let a = v[i]
        let b = v[j]
        v[i] = min(a, b)
        v[j] = max(a, b)
      }
    }
    out[y * w + x] = v[4]
  } else {
    out[y * w + x] = image[y * w + x]
  }
}
