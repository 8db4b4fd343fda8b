// A step of a flow in two dimensions by the lattice Boltzmann method with nine velocities: each cell
// takes what its neighbours send and relaxes it. Opposite borders touch.
program lattice_boltzmann {
  uniform w: u32 = 1024
  uniform h: u32 = 1024
  uniform omega: f32 = 1.2
  buffer f: f32[9 * w * h] read
  buffer g: f32[9 * w * h] write
  grid w, h
  reassociate

  let n = w * h
  let x = invocation.x
  let y = invocation.y
  let left = (x + w - 1) % w
  let right = (x + 1) % w
  let up = (y + h - 1) % h * w
  let here = y * w
  let down = (y + 1) % h * w

  let f0 = f[here + x]
  let f1 = f[n + here + left]
  let f2 = f[2 * n + up + x]
  let f3 = f[3 * n + here + right]
  let f4 = f[4 * n + down + x]
  let f5 = f[5 * n + up + left]
  let f6 = f[6 * n + up + right]
  let f7 = f[7 * n + down + right]
  let f8 = f[8 * n + down + left]

  let density = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8
  let u = (f1 + f5 + f8 - f3 - f6 - f7) / density
  let v = (f2 + f5 + f6 - f4 - f7 - f8) / density
  let still = 1.0 - 1.5 * (u * u + v * v)
  let along = u + v
  let across = u - v
  let keep = 1.0 - omega
  let part = omega * density

  let i = here + x
  g[i] = keep * f0 + part * 4.0 / 9.0 * still
  g[n + i] = keep * f1 + part / 9.0 * (still + 3.0 * u + 4.5 * u * u)
  g[2 * n + i] = keep * f2 + part / 9.0 * (still + 3.0 * v + 4.5 * v * v)
  g[3 * n + i] = keep * f3 + part / 9.0 * (still - 3.0 * u + 4.5 * u * u)
  g[4 * n + i] = keep * f4 + part / 9.0 * (still - 3.0 * v + 4.5 * v * v)
  g[5 * n + i] = keep * f5 + part / 36.0 * (still + 3.0 * along + 4.5 * along * along)
  g[6 * n + i] = keep * f6 + part / 36.0 * (still - 3.0 * across + 4.5 * across * across)
  g[7 * n + i] = keep * f7 + part / 36.0 * (still - 3.0 * along + 4.5 * along * along)
  g[8 * n + i] = keep * f8 + part / 36.0 * (still + 3.0 * across + 4.5 * across * across)
}
