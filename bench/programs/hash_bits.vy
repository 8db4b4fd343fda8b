// How many bits are set in a hash of each number.
program hash_bits {
  uniform n: u32 = 16777216
  buffer x: u32[n] read
  buffer bits: u32[n] write
  grid n

  var h = x[invocation.x]
  h = (h ^ (h >> 16)) * 0x85ebca6b
  h = (h ^ (h >> 13)) * 0xc2b2ae35
  h = h ^ (h >> 16)
  h = h - ((h >> 1) & 0x55555555)
  h = (h & 0x33333333) + ((h >> 2) & 0x33333333)
  h = (h + (h >> 4)) & 0x0f0f0f0f
  bits[invocation.x] = (h * 0x01010101) >> 24
}
