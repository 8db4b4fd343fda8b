// The transpose of a matrix.
program transpose {
  uniform w: u32 = 4096
  uniform h: u32 = 4096
  buffer a: f32[h * w] read
  buffer t: f32[w * h] write
  grid w, h

  let x = invocation.x
  let y = invocation.y
  t[x * h + y] = a[y * w + x]
}
