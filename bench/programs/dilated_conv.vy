// A layer of dilated convolutions of 5 taps over padded signals, in groups of channels.
program dilated_conv {
  uniform length: u32 = 16384
  uniform channels: u32 = 128
  uniform filters: u32 = 128
  uniform parts: u32 = 4
  uniform dilation: u32 = 4
  buffer x: f32[channels * (length + 4 * dilation)] read
  buffer weight: f32[filters * (channels / parts) * 5] read
  buffer bias: f32[filters] read
  buffer y: f32[filters * length] write
  grid length, filters
  reassociate

  let at = invocation.x
  let filter = invocation.y
  let each = channels / parts
  let first = filter / (filters / parts) * each
  var sum = bias[filter]
  for c in 0 .. each {
    for tap in 0 .. 5 {
      sum += weight[(filter * each + c) * 5 + tap] * x[(first + c) * (length + 4 * dilation) + at + tap * dilation]
    }
  }
  y[filter * length + at] = sum
}
