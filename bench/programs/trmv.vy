// A lower triangular matrix times a vector.
program trmv {
  uniform n: u32 = 3072
  buffer l: f32[n * n] read
  buffer x: f32[n] read
  buffer y: f32[n] write
  grid n
  reassociate

  let row = invocation.x
  var sum = 0.0
  for i in 0 .. row + 1 {
    sum = sum + l[row * n + i] * x[i]
  }
  y[row] = sum
}
