    cblas_dgemm(RowMajor, NoTrans, NoTrans, NI, NJ, NK, alpha, &A[0][0], NK, &B[0][0], NJ, 0.0, &tmp[0][0], NJ);
    cblas_dgemm(RowMajor, NoTrans, NoTrans, NI, NL, NJ, 1.0, &tmp[0][0], NJ, &C[0][0], NL, beta, &D[0][0], NL);
