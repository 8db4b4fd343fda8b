// One step of the wave equation, in place of the field of the step before.
program wave {
  uniform w: u32 = 1280
  uniform h: u32 = 1024
  buffer now: f32[w * h] read
  buffer field: f32[w * h] read_write
  grid w, h
  workgroup 64

  let x = invocation.x
  let y = invocation.y
  let i = y * w + x
  if x > 0 & x < w - 1 & y > 0 & y < h - 1 {
    let around = now[i - 1] + now[i + 1] + now[i - w] + now[i + w]
    field[i] = 2.0 * now[i] - field[i] + 0.2 * (around - 4.0 * now[i])
  }
}
