// A sparse matrix, its rows one after the other, times a vector.
program spmv {
  uniform rows: u32 = 131072
  uniform columns: u32 = 131072
  uniform entries: u32 = 2097152
  buffer start: u32[rows + 1] read
  buffer column: u32[entries] read
  buffer value: f32[entries] read
  buffer x: f32[columns] read
  buffer y: f32[rows] write
  grid rows
  reassociate

  let row = invocation.x
  var sum = 0.0
  for i in start[row] .. start[row + 1] {
    sum = sum + value[i] * x[column[i]]
  }
  y[row] = sum
}
