// What the nearest of some sites in the plane is called.
program nearest {
  uniform n: u32 = 131072
  uniform sites: u32 = 512
  buffer x: f32[n] read
  buffer y: f32[n] read
  buffer site_x: f32[sites] read
  buffer site_y: f32[sites] read
  buffer name: u32[sites] read
  buffer label: u32[n] write
  grid n
  reassociate

  let i = invocation.x
  var least = f32.inf
  var found = 0
  for j in 0 .. sites {
    let dx = site_x[j] - x[i]
    let dy = site_y[j] - y[i]
    let distance = dx * dx + dy * dy
    if distance < least {
      least = distance
      found = name[j]
    }
  }
  label[i] = found
}
