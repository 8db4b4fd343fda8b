// How many of the random points of each invocation lie in the circle.
program monte_carlo {
  uniform n: u32 = 65536
  uniform points: u32 = 256
  buffer hits: u32[n] write
  grid n

  var state = invocation.x * 747796405 + 2891336453
  var count = 0
  for i in 0 .. points {
    state = state ^ (state << 13)
    state = state ^ (state >> 17)
    state = state ^ (state << 5)
    let x = state & 0x7fff
    let y = state >> 17
    if x * x + y * y < 0x40000000 {
      count = count + 1
    }
  }
  hits[invocation.x] = count
}
