// One step of the seven-point heat stencil on a cube of n x n x n; the border stays as it is.
program stencil3d {
  uniform n: u32 = 128
  uniform alpha: f32 = 0.1
  buffer u: f32[n * n * n] read
  buffer v: f32[n * n * n] write
  grid n, n, n
  workgroup 64

  let x = invocation.x
  let y = invocation.y
  let z = invocation.z
  let i = (z * n + y) * n + x
  let here = u[i]
  if x > 0 & x < n - 1 & y > 0 & y < n - 1 & z > 0 & z < n - 1 {
    let around = u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + u[i - n * n] + u[i + n * n]
    v[i] = fma(alpha, around - 6.0 * here, here)
  } else {
    v[i] = here
  }
}
