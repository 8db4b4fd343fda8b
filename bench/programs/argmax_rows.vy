// Where the largest number of each row of a matrix is; the first of equals.
program argmax_rows {
  uniform rows: u32 = 16384
  uniform n: u32 = 1024
  buffer x: f32[rows * n] read
  buffer where: u32[rows] write
  grid rows

  let row = invocation.x
  var largest = x[row * n]
  var at = 0
  for i in 1 .. n {
    if x[row * n + i] > largest {
      largest = x[row * n + i]
      at = i
    }
  }
  where[row] = at
}
