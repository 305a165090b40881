    cblas_sgemm(RowMajor, NoTrans, NoTrans, NI, NJ, NK, alpha, &A[0][0], NK, &B[0][0], NJ, beta, &C[0][0], NJ);
