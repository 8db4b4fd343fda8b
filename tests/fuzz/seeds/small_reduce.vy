program reduce {
  uniform n: u32 = 128
  buffer x: f32[n] read
  buffer sums: f32[n / workgroup.x] write
  shared part: f32[workgroup.x]
  grid n
  workgroup 32
  let l = local.x
  part[l] = x[invocation.x]
  barrier
  for k in 0 .. 5 {
    let half = workgroup.x >> (k + 1)
    if l < half { part[l] = part[l] + part[l + half] }
    barrier
  }
  if l == 0 { sums[group.x] = part[0] } else { }
}
