// The lower half of c = alpha a aT + beta c.
program syrk {
  uniform n: u32 = 512
  uniform k: u32 = 512
  uniform alpha: f32 = 1.5
  uniform beta: f32 = 0.5
  buffer a: f32[n * k] read
  buffer c: f32[n * n] read_write
  grid n, n
  reassociate

  let col = invocation.x
  let row = invocation.y
  if col <= row {
    var sum = 0.0
    for i in 0 .. k {
      sum = sum + a[row * k + i] * a[col * k + i]
    }
    c[row * n + col] = alpha * sum + beta * c[row * n + col]
  }
}
