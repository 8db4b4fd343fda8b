// A filter of 3 x 3 over an image; what is outside counts as 0.
program conv3x3 {
  uniform w: u32 = 4096
  uniform h: u32 = 4096
  buffer image: f32[w * h] read
  buffer filter: f32[9] read
  buffer out: f32[w * h] write
  grid w, h
  reassociate

  let x = i32(invocation.x)
  let y = i32(invocation.y)
  var sum = 0.0
  for j in 0 .. 3 {
    for i in 0 .. 3 {
      let column = x + i32(i) - 1i
      let row = y + i32(j) - 1i
      if column >= 0i & column < i32(w) & row >= 0i & row < i32(h) {
        sum = sum + filter[j * 3 + i] * image[u32(row) * w + u32(column)]
      }
    }
  }
  out[invocation.y * w + invocation.x] = sum
}
