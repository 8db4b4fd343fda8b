// How many steps each point of the plane takes to leave the circle.
program mandelbrot {
  uniform w: u32 = 1024
  uniform h: u32 = 768
  uniform limit: u32 = 100
  buffer steps: u32[w * h] write
  grid w, h

  let cx = f32(invocation.x) / f32(w) * 3.0 - 2.0
  let cy = f32(invocation.y) / f32(h) * 2.0 - 1.0
  var x = 0.0
  var y = 0.0
  var count = 0
  while count < limit & x * x + y * y <= 4.0 {
    let next = x * x - y * y + cx
    y = 2.0 * x * y + cy
    x = next
    count = count + 1
  }
  steps[invocation.y * w + invocation.x] = count
}
