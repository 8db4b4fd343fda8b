// The sum of the products of two vectors' elements.
program dot_product {
  uniform n: u32 = 4194304
  buffer x: f32[n] read
  buffer y: f32[n] read
  buffer sum: f32[1] read_write
  grid n
  reassociate

  atomic sum[0] += x[invocation.x] * y[invocation.x]
}
