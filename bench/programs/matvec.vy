// A matrix times a vector.
program matvec {
  uniform m: u32 = 4096
  uniform n: u32 = 4096
  buffer a: f32[m * n] read
  buffer x: f32[n] read
  buffer y: f32[m] write
  grid m
  reassociate

  let row = invocation.x
  var sum = 0.0
  for i in 0 .. n {
    sum = sum + a[row * n + i] * x[i]
  }
  y[row] = sum
}
