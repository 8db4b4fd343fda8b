// How bodies accelerate each other, where those far away do not matter.
program nbody_cutoff {
  uniform n: u32 = 4096
  buffer x: f32[n] read
  buffer y: f32[n] read
  buffer z: f32[n] read
  buffer mass: f32[n] read
  buffer ax: f32[n] write
  buffer ay: f32[n] write
  buffer az: f32[n] write
  grid n
  reassociate

  let i = invocation.x
  var sx = 0.0
  var sy = 0.0
  var sz = 0.0
  for j in 0 .. n {
    let dx = x[j] - x[i]
    let dy = y[j] - y[i]
    let dz = z[j] - z[i]
    let d = dx * dx + dy * dy + dz * dz
    if d < 0.1 {
      let fade = 1.0 - 10.0 * d
      let r = 1.0 / sqrt(d + 0.01)
      let pull = mass[j] * fade * fade * r * r * r
      sx = sx + pull * dx
      sy = sy + pull * dy
      sz = sz + pull * dz
    }
  }
  ax[i] = sx
  ay[i] = sy
  az[i] = sz
}
