    cblas_dsyrk(RowMajor, Lower, NoTrans, N, M, alpha, &A[0][0], M, beta, &C[0][0], N);
