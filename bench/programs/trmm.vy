// A lower triangular matrix times a matrix.
program trmm {
  uniform n: u32 = 512
  uniform m: u32 = 512
  buffer l: f32[n * n] read
  buffer b: f32[n * m] read
  buffer c: f32[n * m] write
  grid m, n
  reassociate

  let col = invocation.x
  let row = invocation.y
  var sum = 0.0
  for i in 0 .. row + 1 {
    sum = sum + l[row * n + i] * b[i * m + col]
  }
  c[row * m + col] = sum
}
