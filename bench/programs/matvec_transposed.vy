// The transpose of a matrix times a vector.
program matvec_transposed {
  uniform m: u32 = 4096
  uniform n: u32 = 4096
  buffer a: f32[m * n] read
  buffer x: f32[m] read
  buffer y: f32[n] write
  grid n
  reassociate

  let col = invocation.x
  var sum = 0.0
  for i in 0 .. m {
    sum = sum + a[i * n + col] * x[i]
  }
  y[col] = sum
}
