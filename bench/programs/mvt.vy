// A matrix and its transpose times a vector each, added to another.
program mvt {
  uniform n: u32 = 4096
  buffer a: f32[n * n] read
  buffer y1: f32[n] read
  buffer y2: f32[n] read
  buffer x1: f32[n] read_write
  buffer x2: f32[n] read_write
  grid n
  reassociate

  let i = invocation.x
  var sum1 = 0.0
  for j in 0 .. n {
    sum1 = sum1 + a[i * n + j] * y1[j]
  }
  x1[i] = x1[i] + sum1
  var sum2 = 0.0
  for j in 0 .. n {
    sum2 = sum2 + a[j * n + i] * y2[j]
  }
  x2[i] = x2[i] + sum2
}
