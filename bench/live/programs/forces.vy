// What bodies on a line do to each other: much arithmetic, little memory.
program forces {
  uniform n: u32 = 1024
  buffer at: f32[n] read
  buffer mass: f32[n] read
  buffer force: f32[n] write
  grid n
  workgroup 64

  let here = at[invocation.x]
  var sum = 0.0
  for j in 0 .. n {
    let d = at[j] - here
    let r = fma(d, d, 0.01)
    sum = fma(mass[j] * d, 1.0 / (r * sqrt(r)), sum)
  }
  force[invocation.x] = sum
}
