/* C = A B */
void product(int n, double A[n][n], double B[n][n], double C[n][n]);
