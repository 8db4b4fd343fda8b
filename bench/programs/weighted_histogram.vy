// The sum of the weights of each value of the lowest byte.
program weighted_histogram {
  uniform n: u32 = 4194304
  buffer x: u32[n] read
  buffer weight: f32[n] read
  buffer bins: f32[256] read_write
  grid n
  reassociate

  let i = invocation.x
  atomic bins[x[i] & 255] += weight[i]
}
