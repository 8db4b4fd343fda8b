// Softmax of the products of queries and keys, times the values: an output row per invocation.
program attention {
  uniform queries: u32 = 512
  uniform keys: u32 = 1024
  uniform d: u32 = 64
  uniform scale: f32 = 0.125
  buffer q: f32[queries * d] read
  buffer k: f32[keys * d] read
  buffer v: f32[keys * d] read
  buffer scores: f32[queries * keys] read_write
  buffer out: f32[queries * d] write
  grid queries
  reassociate

  let row = invocation.x
  var largest = -f32.inf
  for j in 0 .. keys {
    var dot = 0.0
    for i in 0 .. d {
      dot = dot + q[row * d + i] * k[j * d + i]
    }
    scores[row * keys + j] = dot * scale
    largest = max(largest, dot * scale)
  }
  var sum = 0.0
  for j in 0 .. keys {
    let weight = exp(scores[row * keys + j] - largest)
    scores[row * keys + j] = weight
    sum = sum + weight
  }
  for i in 0 .. d {
    var value = 0.0
    for j in 0 .. keys {
      value = value + scores[row * keys + j] * v[j * d + i]
    }
    out[row * d + i] = value / sum
  }
}
