// y = alpha a x + beta b x.
program gesummv {
  uniform n: u32 = 4096
  uniform alpha: f32 = 1.5
  uniform beta: f32 = 0.5
  buffer a: f32[n * n] read
  buffer b: f32[n * n] read
  buffer x: f32[n] read
  buffer y: f32[n] write
  grid n
  reassociate

  let row = invocation.x
  var first = 0.0
  var second = 0.0
  for i in 0 .. n {
    first = first + a[row * n + i] * x[i]
    second = second + b[row * n + i] * x[i]
  }
  y[row] = alpha * first + beta * second
}
