// A matrix times a vector: a dot product in each invocation.
program matvec {
  uniform m: u32 = 2048
  uniform n: u32 = 1024
  buffer a: f32[m * n] read
  buffer x: f32[n] read
  buffer y: f32[m] write
  grid m
  workgroup 64

  let row = invocation.x
  var sum = 0.0
  for j in 0 .. n {
    sum = fma(a[row * n + j], x[j], sum)
  }
  y[row] = sum
}
