// The transpose of a matrix of h rows and w columns, row major.
program transpose {
  uniform w: u32 = 1000
  uniform h: u32 = 700
  buffer a: f32[h * w] read
  buffer t: f32[w * h] write
  grid w, h
  workgroup 16, 16

  let x = invocation.x
  let y = invocation.y
  t[x * h + y] = a[y * w + x]
}
