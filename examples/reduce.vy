// One partial sum per workgroup, by a tree in shared memory. What lies beyond n counts as zero.
program reduce {
  uniform n: u32 = 1000000
  buffer x: f32[n] read
  buffer sums: f32[(n + workgroup.x - 1) / workgroup.x] write
  shared tile: f32[workgroup.x]
  grid (n + workgroup.x - 1) / workgroup.x * workgroup.x
  workgroup 64

  let i = invocation.x
  let l = local.x
  region "load" {
    var value = 0.0
    if i < n {
      value = x[i]
    }
    tile[l] = value
  }
  barrier
  region "tree" {
    var width = workgroup.x / 2
    for round in 0 .. 6 {
      if l < width {
        tile[l] = tile[l] + tile[l + width]
      }
      barrier
      width = width / 2
    }
  }
  if l == 0 {
    sums[group.x] = tile[0]
  }
}
