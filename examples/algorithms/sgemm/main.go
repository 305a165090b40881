// A product of matrices: C = alpha A B + beta C.
package main

import "polytune/algorithm"

func main() {
	f := algorithm.New("sgemm", "NI", "NJ", "NK")
	f.Input("alpha", algorithm.Float32)
	f.Input("beta", algorithm.Float32)
	f.Input("C", algorithm.Float32, "NI", "NJ")
	f.Input("A", algorithm.Float32, "NI", "NK")
	f.Input("B", algorithm.Float32, "NK", "NJ")
	f.Update("C[i, j]", "0 <= i < NI and 0 <= j < NJ", "C(i, j) * beta")
	f.Update("C[i, j, k]", "0 <= i < NI and 0 <= j < NJ and 0 <= k < NK", "C(i, j) + alpha * A(i, k) * B(k, j)")
	f.Schedule(`
		original
		parallel C_1.i
		vectorize C_1.j
		tile C_2.i C_2.j C_2.k by 108 1072 272
		sink C_2.it
		parallel C_2.it
		registers C_2.i C_2.j by 6 16 ahead lanes 8
		sink C_2.ir
		pack C_2 A[i][k] at C_2.it
		pack C_2 B[k][j] at C_2.kt`)
	algorithm.Main(f)
}
