// An image in shades of gray, from its channels: a byte each, weights in parts of 256.
program gray {
  uniform w: u32 = 1000
  uniform h: u32 = 700
  buffer red: u8[w * h] read
  buffer green: u8[w * h] read
  buffer blue: u8[w * h] read
  buffer out: u8[w * h] write
  grid w, h
  workgroup 32, 2

  let i = invocation.y * w + invocation.x
  out[i] = (red[i] * 77 + green[i] * 150 + blue[i] * 29) >> 8
}
