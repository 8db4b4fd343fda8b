// Mean and variance of each of a few long rows.
program row_moments {
  uniform rows: u32 = 3
  uniform n: u32 = 4194304
  buffer x: f32[rows * n] read
  buffer mean: f32[rows] write
  buffer variance: f32[rows] write
  grid rows
  reassociate

  let row = invocation.x
  var sum = 0.0
  var squares = 0.0
  for i in 0 .. n {
    let value = x[row * n + i]
    sum = sum + value
    squares = squares + value * value
  }
  let average = sum / f32(n)
  mean[row] = average
  variance[row] = squares / f32(n) - average * average
}
