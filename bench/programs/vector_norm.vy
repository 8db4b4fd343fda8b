// The length of a vector.
program vector_norm {
  uniform n: u32 = 16777216
  buffer x: f32[n] read
  buffer norm: f32[1] write
  grid 1
  reassociate

  var sum = 0.0
  for i in 0 .. n {
    sum = sum + x[i] * x[i]
  }
  norm[0] = sqrt(sum)
}
