// The distances of the points of one set from those of another.
program pairwise_distances {
  uniform n: u32 = 1024
  uniform m: u32 = 1024
  uniform d: u32 = 32
  buffer a: f32[n * d] read
  buffer b: f32[m * d] read
  buffer distance: f32[n * m] write
  grid m, n
  reassociate

  let i = invocation.y
  let j = invocation.x
  var sum = 0.0
  for k in 0 .. d {
    let difference = a[i * d + k] - b[j * d + k]
    sum = sum + difference * difference
  }
  distance[i * m + j] = sqrt(sum)
}
