// Pixels of three bytes in a word to their brightness.
program rgb_to_gray {
  uniform n: u32 = 16777216
  buffer rgb: u32[n] read
  buffer gray: u32[n] write
  grid n

  let p = rgb[invocation.x]
  let r = p & 255
  let g = (p >> 8) & 255
  let b = (p >> 16) & 255
  gray[invocation.x] = (77 * r + 150 * g + 29 * b) / 256
}
