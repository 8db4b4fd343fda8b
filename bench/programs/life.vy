// A step of the game of life: 1 is alive, 0 is not, and opposite borders touch.
program life {
  uniform w: u32 = 8192
  uniform h: u32 = 4096
  buffer cells: u8[w * h] read
  buffer after: u8[w * h] write
  grid w, h

  let x = invocation.x
  let y = invocation.y
  let here = cells[y * w + x]
  var alive = 0
  for j in 0 .. 3 {
    for i in 0 .. 3 {
      let column = (x + w + i - 1) % w
      let row = (y + h + j - 1) % h
      alive += cells[row * w + column]
    }
  }
  alive -= here
  if alive == 3 | (alive == 2 & here == 1) {
    after[y * w + x] = 1
  } else {
    after[y * w + x] = 0
  }
}
