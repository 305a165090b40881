template <typename tune_int>
__global__ void __launch_bounds__(256) k0(double *__restrict__ C, const double *__restrict__ A, const double *__restrict__ B, const double beta, const double alpha, const tune_int NI, const tune_int NJ, const tune_int NK, const tune_int tune_firsty) {
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_thready = threadIdx.y;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  const tune_int tune_blocky = tune_firsty + (tune_int) blockIdx.y;
  {
    const tune_int c0 = tune_blocky;
    {
      const tune_int c1 = tune_blockx;
      for (tune_int c2 = 32 * c0 + tune_thready; c2 <= tune_min(NI - 1, 32 * c0 + 31); c2 += 8) {
        for (tune_int c3 = 32 * c1 + tune_threadx; c3 <= tune_min(NJ - 1, 32 * c1 + 31); c3 += 32) {
          C[c2 * NJ + c3] *= beta;
          for (tune_int c4 = 0; c4 < NK; c4 += 1) {
            C[c2 * NJ + c3] += alpha * A[c2 * NK + c4] * B[c4 * NJ + c3];
          }
        }
      }
    }
  }
}
