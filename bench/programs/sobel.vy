// The slope of an image at each pixel; 0 at the border.
program sobel {
  uniform w: u32 = 4096
  uniform h: u32 = 4096
  buffer image: f32[w * h] read
  buffer out: f32[w * h] write
  grid w, h

  let x = invocation.x
  let y = invocation.y
  let i = y * w + x
  if x == 0 | y == 0 | x == w - 1 | y == h - 1 {
    out[i] = 0.0
  } else {
    let a = image[i - w - 1]
    let b = image[i - w]
    let c = image[i - w + 1]
    let d = image[i - 1]
    let f = image[i + 1]
    let g = image[i + w - 1]
    let k = image[i + w]
    let m = image[i + w + 1]
    let across = c + 2.0 * f + m - a - 2.0 * d - g
    let down = g + 2.0 * k + m - a - 2.0 * b - c
    out[i] = sqrt(across * across + down * down)
  }
}
