// Many tridiagonal systems by elimination forth and back; the same equations of all systems stand together.
program tridiagonal {
  uniform systems: u32 = 32768
  uniform n: u32 = 64
  buffer below: f32[n * systems] read
  buffer diagonal: f32[n * systems] read
  buffer above: f32[n * systems] read
  buffer right: f32[n * systems] read
  buffer work: f32[n * systems] read_write
  buffer x: f32[n * systems] read_write
  grid systems
  reassociate

  let s = invocation.x
  work[s] = above[s] / diagonal[s]
  x[s] = right[s] / diagonal[s]
  for k in 1 .. n {
    let i = k * systems + s
    let scale = 1.0 / (diagonal[i] - below[i] * work[i - systems])
    work[i] = above[i] * scale
    x[i] = (right[i] - below[i] * x[i - systems]) * scale
  }
  for back in 1 .. n {
    let i = (n - 1 - back) * systems + s
    x[i] -= work[i] * x[i + systems]
  }
}
