// Running sums along the rows of a matrix, a row per invocation.
program prefix_sums {
  uniform rows: u32 = 4096
  uniform n: u32 = 1024
  buffer x: f32[rows * n] read
  buffer y: f32[rows * n] write
  grid rows
  reassociate

  let start = invocation.x * n
  var sum = 0.0
  for i in 0 .. n {
    sum = sum + x[start + i]
    y[start + i] = sum
  }
}
