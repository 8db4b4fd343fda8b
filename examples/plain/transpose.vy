// The transpose of a matrix of h rows and w columns, row major, one element per invocation.
program transpose {
  uniform w: u32 = 1536
  uniform h: u32 = 1536
  buffer a: f32[h * w] read
  buffer t: f32[w * h] write
  grid w, h
  workgroup 64

  let x = invocation.x
  let y = invocation.y
  t[x * h + y] = a[y * w + x]
}
