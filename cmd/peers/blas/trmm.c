    cblas_dtrmm(RowMajor, Left, Lower, Trans, Unit, M, N, alpha, &A[0][0], M, &B[0][0], N);
