// A step of Jacobi's method on a field whose border stays as it is.
program jacobi2d {
  uniform w: u32 = 4096
  uniform h: u32 = 4096
  buffer u: f32[w * h] read
  buffer v: f32[w * h] write
  grid w, h

  let x = invocation.x
  let y = invocation.y
  let i = y * w + x
  if x > 0 & x < w - 1 & y > 0 & y < h - 1 {
    v[i] = 0.2 * (u[i] + u[i - 1] + u[i + 1] + u[i - w] + u[i + w])
  } else {
    v[i] = u[i]
  }
}
