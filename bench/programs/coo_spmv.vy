// A sparse matrix, its entries in any order, each with its row and its column, times a vector; added to y.
program coo_spmv {
  uniform rows: u32 = 131072
  uniform columns: u32 = 131072
  uniform entries: u32 = 4194304
  buffer row: u32[entries] read
  buffer column: u32[entries] read
  buffer value: f32[entries] read
  buffer x: f32[columns] read
  buffer y: f32[rows] read_write
  grid entries
  reassociate

  let i = invocation.x
  atomic y[row[i]] += value[i] * x[column[i]]
}
