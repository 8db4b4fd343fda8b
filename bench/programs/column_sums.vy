// The sums of the columns of a matrix.
program column_sums {
  uniform m: u32 = 4096
  uniform n: u32 = 4096
  buffer a: f32[m * n] read
  buffer sums: f32[n] write
  grid n
  reassociate

  var sum = 0.0
  for i in 0 .. m {
    sum = sum + a[i * n + invocation.x]
  }
  sums[invocation.x] = sum
}
