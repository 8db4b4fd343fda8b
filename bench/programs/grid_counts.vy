// How many points of the square from -1 to 1 lie in each cell of a grid of 32 x 32.
program grid_counts {
  uniform n: u32 = 2097152
  buffer x: f32[n] read
  buffer y: f32[n] read
  buffer counts: u32[1024] read_write
  grid n

  let i = invocation.x
  let column = u32((x[i] + 1.0) * 16.0)
  let row = u32((y[i] + 1.0) * 16.0)
  atomic counts[min(row, 31) * 32 + min(column, 31)] += 1
}
