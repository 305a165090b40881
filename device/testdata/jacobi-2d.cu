template <typename tune_int>
__global__ void __launch_bounds__(256) k0(double *__restrict__ B, const double *__restrict__ A, const tune_int N, const tune_int tune_firsty) {
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_thready = threadIdx.y;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  const tune_int tune_blocky = tune_firsty + (tune_int) blockIdx.y;
  {
    const tune_int c1 = tune_blocky;
    {
      const tune_int c2 = tune_blockx;
      for (tune_int c3 = 32 * c1 + tune_thready; c3 <= tune_min(N - 2, 32 * c1 + 31); c3 += 8) {
        if (c3 >= 1) {
          for (tune_int c4 = 32 * c2 + tune_threadx; c4 <= tune_min(N - 2, 32 * c2 + 31); c4 += 32) {
            if (c4 >= 1) {
              B[c3 * N + c4] = 0.2 * (A[c3 * N + c4] + A[c3 * N + (c4 - 1)] + A[c3 * N + (c4 + 1)] + A[(c3 + 1) * N + c4] + A[(c3 - 1) * N + c4]);
            }
          }
        }
      }
    }
  }
}

template <typename tune_int>
__global__ void __launch_bounds__(256) k1(double *__restrict__ A, const double *__restrict__ B, const tune_int N, const tune_int tune_firsty) {
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_thready = threadIdx.y;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  const tune_int tune_blocky = tune_firsty + (tune_int) blockIdx.y;
  {
    const tune_int c1 = tune_blocky;
    {
      const tune_int c2 = tune_blockx;
      for (tune_int c3 = 32 * c1 + tune_thready; c3 <= tune_min(N - 1, 32 * c1 + 31); c3 += 8) {
        if (c3 >= 2) {
          for (tune_int c4 = 32 * c2 + tune_threadx; c4 <= tune_min(N - 1, 32 * c2 + 31); c4 += 32) {
            if (c4 >= 2) {
              A[(c3 - 1) * N + (c4 - 1)] = 0.2 * (B[(c3 - 1) * N + (c4 - 1)] + B[(c3 - 1) * N + (c4 - 1 - 1)] + B[(c3 - 1) * N + (c4 - 1 + 1)] + B[(c3 - 1 + 1) * N + (c4 - 1)] + B[(c3 - 1 - 1) * N + (c4 - 1)]);
            }
          }
        }
      }
    }
  }
}
