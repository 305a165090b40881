    cblas_dsymm(RowMajor, Left, Lower, M, N, alpha, &A[0][0], M, &B[0][0], N, beta, &C[0][0], N);
