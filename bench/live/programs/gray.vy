// Pixels of three numbers to one.
program gray {
  uniform n: u32 = 1500000
  buffer rgb: f32[3 * n] read
  buffer out: f32[n] write
  grid n
  workgroup 64

  let i = invocation.x
  out[i] = 0.299 * rgb[3 * i] + 0.587 * rgb[3 * i + 1] + 0.114 * rgb[3 * i + 2]
}
