// Many systems of four linear equations by elimination without pivots; one system per invocation.
program solve_4x4 {
  uniform n: u32 = 524288
  buffer a: f32[n * 16] read
  buffer b: f32[n * 4] read
  buffer x: f32[n * 4] write
  private m: f32[16]
  private v: f32[4]
  grid n
  reassociate

  let i = invocation.x
  for k in 0 .. 16 {
    m[k] = a[i * 16 + k]
  }
  for k in 0 .. 4 {
    v[k] = b[i * 4 + k]
  }

  for k in 0 .. 4 {
    for r in k + 1 .. 4 {
      let factor = m[r * 4 + k] / m[k * 4 + k]
      for c in k + 1 .. 4 {
        m[r * 4 + c] -= factor * m[k * 4 + c]
      }
      v[r] -= factor * v[k]
    }
  }

  for back in 0 .. 4 {
    let r = 3 - back
    var sum = v[r]
    for c in r + 1 .. 4 {
      sum -= m[r * 4 + c] * v[c]
    }
    v[r] = sum / m[r * 4 + r]
  }

  for k in 0 .. 4 {
    x[i * 4 + k] = v[k]
  }
}
