    cblas_dgemm(RowMajor, NoTrans, NoTrans, NI, NJ, NK, 1.0, &A[0][0], NK, &B[0][0], NJ, 0.0, &E[0][0], NJ);
    cblas_dgemm(RowMajor, NoTrans, NoTrans, NJ, NL, NM, 1.0, &C[0][0], NM, &D[0][0], NL, 0.0, &F[0][0], NL);
    cblas_dgemm(RowMajor, NoTrans, NoTrans, NI, NL, NJ, 1.0, &E[0][0], NJ, &F[0][0], NL, 0.0, &G[0][0], NL);
