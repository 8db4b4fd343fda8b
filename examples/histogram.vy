// Counts values by their lowest eight bits: each of 64 workgroups counts a share of them in shared
// memory and adds that to the result. The bins are added to, so they start at what they are given.
program histogram {
  uniform n: u32 = 1000000
  buffer data: u32[n] read
  buffer bins: u32[256] read_write
  shared counts: u32[256]
  grid 64 * workgroup.x
  workgroup 256 or 1 or 16 or 64 or 128

  for b in local.x .. 256 step workgroup.x {
    counts[b] = 0
  }
  barrier
  region "count" {
    let share = (n + 63) / 64
    let first = group.x * share
    for i in first + local.x .. min(first + share, n) step workgroup.x {
      atomic counts[data[i] & 255] += 1
    }
  }
  barrier
  for b in local.x .. 256 step workgroup.x {
    atomic bins[b] += counts[b]
  }
}
