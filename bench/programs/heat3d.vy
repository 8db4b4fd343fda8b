// A step of the heat equation in a cube whose border stays as it is.
program heat3d {
  uniform n: u32 = 256
  buffer u: f32[n * n * n] read
  buffer v: f32[n * n * n] write
  grid n, n, n

  let x = invocation.x
  let y = invocation.y
  let z = invocation.z
  let i = (z * n + y) * n + x
  if x > 0 & x < n - 1 & y > 0 & y < n - 1 & z > 0 & z < n - 1 {
    let along_x = u[i - 1] - 2.0 * u[i] + u[i + 1]
    let along_y = u[i - n] - 2.0 * u[i] + u[i + n]
    let along_z = u[i - n * n] - 2.0 * u[i] + u[i + n * n]
    v[i] = 0.125 * along_x + 0.125 * along_y + 0.125 * along_z + u[i]
  } else {
    v[i] = u[i]
  }
}
