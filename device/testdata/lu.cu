template <typename tune_int>
__global__ void __launch_bounds__(256) k0(double *__restrict__ A, const tune_int c0, const tune_int N, const tune_int tune_firsty) {
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_thready = threadIdx.y;
  const tune_int tune_blocky = tune_firsty + (tune_int) blockIdx.y;
  {
    const tune_int c1 = (c0 + 1) / 32 + tune_blocky;
    for (tune_int c3 = 32 * c1 + tune_thready; c3 <= tune_min(N - 1, 32 * c1 + 31); c3 += 8) {
      if (c3 >= c0 + 1) {
        if (c0 - 32 * tune_floor(c0, 32) == tune_threadx) {
          A[c3 * N + c0] /= A[c0 * N + c0];
        }
      }
    }
  }
}

template <typename tune_int>
__global__ void __launch_bounds__(256) k1(double *__restrict__ A, const tune_int c0, const tune_int N, const tune_int tune_firsty) {
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_thready = threadIdx.y;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  const tune_int tune_blocky = tune_firsty + (tune_int) blockIdx.y;
  {
    const tune_int c1 = (c0 + 1) / 32 + tune_blocky;
    {
      const tune_int c2 = (c0 + 1) / 32 + tune_blockx;
      for (tune_int c3 = 32 * c1 + tune_thready; c3 <= tune_min(N - 1, 32 * c1 + 31); c3 += 8) {
        if (c3 >= c0 + 1) {
          for (tune_int c4 = 32 * c2 + tune_threadx; c4 <= tune_min(32 * c2 + 31, c3 - 1); c4 += 32) {
            if (c4 >= c0 + 1) {
              A[c3 * N + c4] -= A[c3 * N + c0] * A[c0 * N + c4];
            }
          }
          for (tune_int c4 = 32 * c2 + tune_threadx; c4 <= tune_min(N - 1, 32 * c2 + 31); c4 += 32) {
            if (c4 >= c3) {
              A[c3 * N + c4] -= A[c3 * N + c0] * A[c0 * N + c4];
            }
          }
        }
      }
    }
  }
}
