// 64 partial sums, each of a share of x by one workgroup, with a tree in shared memory.
program reduce {
  uniform n: u32 = 1000000
  buffer x: f32[n] read
  buffer sums: f32[64] write
  shared tile: f32[workgroup.x]
  grid 64 * workgroup.x
  workgroup 64 or 32 or 128 or 256
  reassociate

  let l = local.x
  region "load" {
    let share = (n + 63) / 64
    let end = min(group.x * share + share, n)
    var value = 0.0
    for first in group.x * share .. end step workgroup.x {
      let i = first + l
      if i < end {
        value += x[i]
      }
    }
    tile[l] = value
  }
  barrier
  region "tree" {
    var width = workgroup.x / 2
    for round in 0 .. 8 {
      if l < width {
        tile[l] += tile[l + width]
      }
      barrier
      width = width / 2
    }
  }
  if l == 0 {
    sums[group.x] = tile[0]
  }
}
