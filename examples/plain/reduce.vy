// The sum of n integers, an atomic addition per element.
program reduce {
  uniform n: u32 = 2000000
  buffer x: u32[n] read
  buffer sum: u32[1] read_write
  grid n
  workgroup 64

  atomic sum[0] += x[invocation.x]
}
