// c = a b for matrices m x k and k x n, row major, in square tiles through shared memory. The sizes
// are multiples of 16.
program matmul {
  uniform m: u32 = 256
  uniform n: u32 = 320
  uniform k: u32 = 192
  buffer a: f32[m * k] read
  buffer b: f32[k * n] read
  buffer c: f32[m * n] write
  shared at: f32[workgroup.x * workgroup.x]
  shared bt: f32[workgroup.x * workgroup.x]
  grid n, m
  workgroup 16, 16 or 8, 8 or 4, 4

  let x = local.x
  let y = local.y
  let row = invocation.y
  let col = invocation.x
  var sum = 0.0
  for tile in 0 .. k step workgroup.x {
    region "load" {
      at[y * workgroup.x + x] = a[row * k + tile + x]
      bt[y * workgroup.x + x] = b[(tile + y) * n + col]
    }
    barrier
    region "multiply" {
      for j in 0 .. workgroup.x {
        sum = fma(at[y * workgroup.x + j], bt[j * workgroup.x + x], sum)
      }
    }
    barrier
  }
  c[row * n + col] = sum
}
