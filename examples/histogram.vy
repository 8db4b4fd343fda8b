// Counts values by their lowest eight bits: first in shared memory, then into the result. The bins are
// added to, so they start at what they are given.
program histogram {
  uniform n: u32 = 1000000
  buffer data: u32[n] read
  buffer bins: u32[256] read_write
  shared counts: u32[256]
  grid (n + 15) / 16 / 256 * 256 + 256
  workgroup 256

  let l = local.x
  counts[l] = 0
  barrier
  region "count" {
    for k in 0 .. 16 {
      let i = k * grid.x + invocation.x
      if i < n {
        atomic counts[data[i] & 255] += 1
      }
    }
  }
  barrier
  atomic bins[l] += counts[l]
}
