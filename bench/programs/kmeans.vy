// Which of the centres each point is nearest to.
program kmeans {
  uniform n: u32 = 262144
  uniform d: u32 = 8
  uniform clusters: u32 = 16
  buffer points: f32[n * d] read
  buffer centres: f32[clusters * d] read
  buffer label: u32[n] write
  grid n
  reassociate

  let i = invocation.x
  var nearest = f32.inf
  var found = 0
  for c in 0 .. clusters {
    var distance = 0.0
    for j in 0 .. d {
      let difference = points[i * d + j] - centres[c * d + j]
      distance = distance + difference * difference
    }
    if distance < nearest {
      nearest = distance
      found = c
    }
  }
  label[i] = found
}
