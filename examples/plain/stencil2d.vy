// One step of the five-point heat stencil on a w x h field; the border stays as it is.
program stencil2d {
  uniform w: u32 = 1536
  uniform h: u32 = 1536
  uniform alpha: f32 = 0.1
  buffer u: f32[w * h] read
  buffer v: f32[w * h] write
  grid w, h
  workgroup 64

  let x = invocation.x
  let y = invocation.y
  let i = y * w + x
  let here = u[i]
  if x > 0 & x < w - 1 & y > 0 & y < h - 1 {
    let around = u[i - 1] + u[i + 1] + u[i - w] + u[i + w]
    v[i] = fma(alpha, around - 4.0 * here, here)
  } else {
    v[i] = here
  }
}
