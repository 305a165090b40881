    cblas_dsyr2k(RowMajor, Lower, NoTrans, N, M, alpha, &A[0][0], M, &B[0][0], M, beta, &C[0][0], N);
