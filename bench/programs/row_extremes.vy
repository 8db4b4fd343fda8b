// The smallest and the largest number of each of a few long rows.
program row_extremes {
  uniform rows: u32 = 3
  uniform n: u32 = 4194304
  buffer x: f32[rows * n] read
  buffer least: f32[rows] write
  buffer most: f32[rows] write
  grid rows

  let row = invocation.x
  var smallest = x[row * n]
  var largest = x[row * n]
  for i in 1 .. n {
    smallest = min(smallest, x[row * n + i])
    largest = max(largest, x[row * n + i])
  }
  least[row] = smallest
  most[row] = largest
}
