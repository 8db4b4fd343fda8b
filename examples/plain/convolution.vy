// A filter of 5 x 5 over the inside of a field; the field is two wider on every side than the result.
program convolution {
  uniform w: u32 = 1024
  uniform h: u32 = 1024
  buffer field: f32[(w + 4) * (h + 4)] read
  buffer filter: f32[25] read
  buffer out: f32[w * h] write
  grid w, h
  workgroup 64

  let x = invocation.x
  let y = invocation.y
  var sum = 0.0
  for j in 0 .. 5 {
    for i in 0 .. 5 {
      sum = fma(filter[j * 5 + i], field[(y + j) * (w + 4) + x + i], sum)
    }
  }
  out[y * w + x] = sum
}
