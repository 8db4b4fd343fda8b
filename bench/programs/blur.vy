// The mean of the 5 x 5 pixels around each; at the border the nearest pixel counts again.
program blur {
  uniform w: u32 = 2048
  uniform h: u32 = 2048
  buffer image: f32[w * h] read
  buffer out: f32[w * h] write
  grid w, h
  reassociate

  let x = i32(invocation.x)
  let y = i32(invocation.y)
  var sum = 0.0
  for j in 0 .. 5 {
    for i in 0 .. 5 {
      let column = min(max(x + i32(i) - 2i, 0i), i32(w) - 1i)
      let row = min(max(y + i32(j) - 2i, 0i), i32(h) - 1i)
      sum = sum + image[u32(row) * w + u32(column)]
    }
  }
  out[invocation.y * w + invocation.x] = sum / 25.0
}
