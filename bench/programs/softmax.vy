// Softmax over the rows of a matrix, a row per invocation.
program softmax {
  uniform rows: u32 = 4096
  uniform n: u32 = 1024
  buffer x: f32[rows * n] read
  buffer y: f32[rows * n] write
  grid rows
  reassociate

  let start = invocation.x * n
  var largest = x[start]
  for i in 0 .. n {
    largest = max(largest, x[start + i])
  }
  var sum = 0.0
  for i in 0 .. n {
    sum = sum + exp(x[start + i] - largest)
  }
  for i in 0 .. n {
    y[start + i] = exp(x[start + i] - largest) / sum
  }
}
