template <typename tune_int>
__global__ void __launch_bounds__(128) k0(double *__restrict__ mean, const double *__restrict__ data, const double float_n, const tune_int M, const tune_int N) {
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  {
    const tune_int c0 = tune_blockx;
    for (tune_int c1 = 128 * c0 + tune_threadx; c1 <= tune_min(M - 1, 128 * c0 + 127); c1 += 128) {
      mean[c1] = 0.0;
      for (tune_int c2 = 0; c2 < N; c2 += 1) {
        mean[c1] += data[c2 * M + c1];
      }
      mean[c1] /= float_n;
    }
  }
}

template <typename tune_int>
__global__ void __launch_bounds__(128) k1(double *__restrict__ stddev, const double *__restrict__ data, const double *__restrict__ mean, const double float_n, const double eps, const tune_int M, const tune_int N) {
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  {
    const tune_int c0 = tune_blockx;
    for (tune_int c1 = 128 * c0 + tune_threadx; c1 <= tune_min(M - 1, 128 * c0 + 127); c1 += 128) {
      stddev[c1] = 0.0;
      for (tune_int c2 = 0; c2 < N; c2 += 1) {
        stddev[c1] += (data[c2 * M + c1] - mean[c1]) * (data[c2 * M + c1] - mean[c1]);
      }
      stddev[c1] /= float_n;
      stddev[c1] = sqrt(stddev[c1]);
      stddev[c1] = stddev[c1] <= eps ? 1.0 : stddev[c1];
    }
  }
}

template <typename tune_int>
__global__ void __launch_bounds__(256) k2(double *__restrict__ data, const double *__restrict__ mean, const double *__restrict__ stddev, const double float_n, const tune_int N, const tune_int M, const tune_int tune_firsty) {
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_thready = threadIdx.y;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  const tune_int tune_blocky = tune_firsty + (tune_int) blockIdx.y;
  {
    const tune_int c0 = tune_blocky;
    {
      const tune_int c1 = tune_blockx;
      for (tune_int c2 = 32 * c0 + tune_thready; c2 <= tune_min(N - 1, 32 * c0 + 31); c2 += 8) {
        for (tune_int c3 = 32 * c1 + tune_threadx; c3 <= tune_min(M - 1, 32 * c1 + 31); c3 += 32) {
          data[c2 * M + c3] -= mean[c3];
          data[c2 * M + c3] /= sqrt(float_n) * stddev[c3];
        }
      }
    }
  }
}

template <typename tune_int>
__global__ void __launch_bounds__(256) k3(double *__restrict__ corr, const double *__restrict__ data, const tune_int M, const tune_int N, const tune_int tune_firsty) {
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_thready = threadIdx.y;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  const tune_int tune_blocky = tune_firsty + (tune_int) blockIdx.y;
  {
    const tune_int c0 = tune_blocky;
    {
      const tune_int c1 = tune_blockx;
      if (c1 <= (M <= 32 && c0 == 0 ? 0 : (M + 31) / 32 - 1)) {
        for (tune_int c2 = 32 * c0 + tune_thready; c2 <= 32 * c0 + 31; c2 += 8) {
          if (c1 == 0 && M >= c2 + 2) {
            if (0 == tune_threadx) {
              corr[c2 * M + c2] = 1.0;
            }
          }
          if (c0 == 0 && c1 == 0 && c2 == 0) {
            if (0 == tune_threadx) {
              corr[(M - 1) * M + (M - 1)] = 1.0;
            }
          }
          for (tune_int c3 = 32 * c1 + tune_threadx; c3 <= tune_min(M - 1, 32 * c1 + 31); c3 += 32) {
            if (c3 >= c2 + 1) {
              corr[c2 * M + c3] = 0.0;
              for (tune_int c4 = 0; c4 < N; c4 += 1) {
                corr[c2 * M + c3] += data[c4 * M + c2] * data[c4 * M + c3];
              }
              corr[c3 * M + c2] = corr[c2 * M + c3];
            }
          }
        }
      }
    }
  }
}
