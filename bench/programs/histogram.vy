// How often each value of the lowest byte occurs.
program histogram {
  uniform n: u32 = 4194304
  buffer x: u32[n] read
  buffer bins: u32[256] read_write
  grid n

  atomic bins[x[invocation.x] & 255] += 1
}
