// The cross entropy of each row of logits with the label that it should have.
program cross_entropy {
  uniform rows: u32 = 8192
  uniform n: u32 = 2048
  buffer logits: f32[rows * n] read
  buffer label: u32[rows] read
  buffer loss: f32[rows] write
  grid rows
  reassociate

  let row = invocation.x
  var largest = logits[row * n]
  for i in 1 .. n {
    largest = max(largest, logits[row * n + i])
  }
  var sum = 0.0
  for i in 0 .. n {
    sum += exp(logits[row * n + i] - largest)
  }
  loss[row] = log(sum) + largest - logits[row * n + label[row]]
}
