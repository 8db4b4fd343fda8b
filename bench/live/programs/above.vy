// How many numbers are above a limit.
program above {
  uniform n: u32 = 1000000
  uniform limit: u32 = 2000000000
  buffer x: u32[n] read
  buffer count: u32[1] read_write
  grid n
  workgroup 64

  atomic count[0] += select(x[invocation.x] > limit, 1, 0)
}
