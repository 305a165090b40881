template <typename tune_int>
__global__ void __launch_bounds__(128) k0(const double *__restrict__ data, double *__restrict__ mean, const double float_n, const tune_int M, const tune_int N) {
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  {
    const tune_int c0 = tune_blockx;
    {
      double tune_mean[1];
      {
        const tune_int c1 = 128 * c0 + tune_threadx;
        if (c1 <= tune_min(M - 1, 128 * c0 + 127)) {
          tune_mean[0] = 0.0;
        }
      }
      for (tune_int c1 = 0; c1 < N; c1 += 1) {
        {
          const tune_int c2 = 128 * c0 + tune_threadx;
          if (c2 <= tune_min(M - 1, 128 * c0 + 127)) {
            tune_mean[0] += data[c1 * M + c2];
          }
        }
      }
      {
        const tune_int c1 = 128 * c0 + tune_threadx;
        if (c1 <= tune_min(M - 1, 128 * c0 + 127)) {
          tune_mean[0] /= float_n;
        }
      }
      {
        const tune_int tune_i0 = 128 * c0 + tune_threadx;
        if (M >= 128 * c0 + tune_threadx + 1 && 128 * c0 + tune_threadx >= 0)
          mean[tune_i0] = tune_mean[0];
      }
    }
  }
}

template <typename tune_int>
__global__ void __launch_bounds__(128) k1(const double *__restrict__ mean, const double *__restrict__ data, double *__restrict__ stddev, const double float_n, const tune_int M, const tune_int N) {
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  {
    const tune_int c0 = tune_blockx;
    {
      double tune_mean[1];
      {
        const tune_int tune_i0 = 128 * c0 + tune_threadx;
        if (N >= 1 && M >= 128 * c0 + tune_threadx + 1 && 128 * c0 + tune_threadx >= 0)
          tune_mean[0] = mean[tune_i0];
      }
      {
        double tune_stddev[1];
        {
          const tune_int c1 = 128 * c0 + tune_threadx;
          if (c1 <= tune_min(M - 1, 128 * c0 + 127)) {
            tune_stddev[0] = 0.0;
          }
        }
        for (tune_int c1 = 0; c1 < N; c1 += 1) {
          {
            const tune_int c2 = 128 * c0 + tune_threadx;
            if (c2 <= tune_min(M - 1, 128 * c0 + 127)) {
              tune_stddev[0] += (data[c1 * M + c2] - tune_mean[0]) * (data[c1 * M + c2] - tune_mean[0]);
            }
          }
        }
        {
          const tune_int c1 = 128 * c0 + tune_threadx;
          if (c1 <= tune_min(M - 1, 128 * c0 + 127)) {
            tune_stddev[0] /= float_n;
          }
        }
        {
          const tune_int c1 = 128 * c0 + tune_threadx;
          if (c1 <= tune_min(M - 1, 128 * c0 + 127)) {
            tune_stddev[0] = sqrt(tune_stddev[0]);
          }
        }
        {
          const tune_int tune_i0 = 128 * c0 + tune_threadx;
          if (M >= 128 * c0 + tune_threadx + 1 && 128 * c0 + tune_threadx >= 0)
            stddev[tune_i0] = tune_stddev[0];
        }
      }
    }
  }
}

template <typename tune_int>
__global__ void __launch_bounds__(128) k2(double *__restrict__ stddev, const double eps, const tune_int M) {
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  {
    const tune_int c0 = tune_blockx;
    for (tune_int c1 = 128 * c0 + tune_threadx; c1 <= tune_min(M - 1, 128 * c0 + 127); c1 += 128) {
      stddev[c1] = stddev[c1] <= eps ? 1.0 : stddev[c1];
    }
  }
}

template <typename tune_int>
__global__ void __launch_bounds__(256) k3(const double *__restrict__ mean, const double *__restrict__ stddev, double *__restrict__ data, const double float_n, const tune_int N, const tune_int M, const tune_int tune_firsty) {
  __shared__ double tune_mean[32];
  __shared__ double tune_stddev[32];
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_thready = threadIdx.y;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  const tune_int tune_blocky = tune_firsty + (tune_int) blockIdx.y;
  {
    const tune_int c0 = tune_blocky;
    {
      const tune_int c1 = tune_blockx;
      for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 16; tune_e += 256) {
        const tune_int tune_first = 32 * c1 + 2 * tune_e;
        if (c0 >= 0 && N >= 32 * c0 + 1 && M >= tune_first + 2 && tune_first >= 0) {
          const double2 tune_vector = *(const double2 *) &mean[tune_first];
          tune_mean[2 * tune_e] = tune_vector.x;
          tune_mean[2 * tune_e + 1] = tune_vector.y;
        }
        else
          for (int tune_k = 0; tune_k < 2; tune_k++) {
            const tune_int tune_i0 = tune_first + tune_k;
            if (c0 >= 0 && N >= 32 * c0 + 1 && M >= tune_i0 + 1 && tune_i0 >= 0)
              tune_mean[2 * tune_e + tune_k] = mean[tune_i0];
          }
      }
      for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 16; tune_e += 256) {
        const tune_int tune_first = 32 * c1 + 2 * tune_e;
        if (c0 >= 0 && N >= 32 * c0 + 1 && M >= tune_first + 2 && tune_first >= 0) {
          const double2 tune_vector = *(const double2 *) &stddev[tune_first];
          tune_stddev[2 * tune_e] = tune_vector.x;
          tune_stddev[2 * tune_e + 1] = tune_vector.y;
        }
        else
          for (int tune_k = 0; tune_k < 2; tune_k++) {
            const tune_int tune_i0 = tune_first + tune_k;
            if (c0 >= 0 && N >= 32 * c0 + 1 && M >= tune_i0 + 1 && tune_i0 >= 0)
              tune_stddev[2 * tune_e + tune_k] = stddev[tune_i0];
          }
      }
      __syncthreads();
      for (tune_int c2 = 32 * c0 + tune_thready; c2 <= tune_min(N - 1, 32 * c0 + 31); c2 += 8) {
        for (tune_int c3 = 32 * c1 + tune_threadx; c3 <= tune_min(M - 1, 32 * c1 + 31); c3 += 32) {
          data[c2 * M + c3] -= tune_mean[c3 - 32 * c1];
          data[c2 * M + c3] /= sqrt(float_n) * tune_stddev[c3 - 32 * c1];
        }
      }
    }
  }
}

template <typename tune_int>
__global__ void __launch_bounds__(256) k4(double *__restrict__ corr, const double *__restrict__ data, const tune_int M, const tune_int N, const tune_int tune_firsty) {
  __shared__ double tune_data[16][33];
  __shared__ double tune_data_[16][33];
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_thready = threadIdx.y;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  const tune_int tune_blocky = tune_firsty + (tune_int) blockIdx.y;
  {
    const tune_int c0 = tune_blocky;
    {
      const tune_int c1 = tune_min(0, c0) + tune_blockx;
      if (c1 <= 0) {
        if (c1 >= 0) {
          for (tune_int c2 = 32 * c0 + tune_thready; c2 <= tune_min(M - 2, 32 * c0 + 31); c2 += 8) {
            if (0 == tune_threadx) {
              corr[c2 * M + c2] = 1.0;
            }
          }
        }
      }
    }
    {
      const tune_int c1 = tune_min(0, c0) + tune_blockx;
      if (c1 <= (M <= 32 && c0 == 0 ? 0 : (M + 31) / 32 - 1)) {
        if (c1 >= c0) {
          {
            double tune_corr[4][1];
            #pragma unroll
            for (int c2_turn = 0; c2_turn < 4; c2_turn++) {
              const tune_int c2 = 32 * c0 + 8 * c2_turn + tune_thready;
              if (c2 <= tune_min(tune_min(M - 2, 32 * c0 + 31), 32 * c1 + 30)) {
                {
                  const tune_int c3 = 32 * c1 + tune_threadx;
                  if (c3 >= c2 + 1 && c3 <= tune_min(M - 1, 32 * c1 + 31)) {
                    tune_corr[c2_turn][0] = 0.0;
                  }
                }
              }
            }
            for (tune_int c2 = 0; c2 <= tune_floor(N - 1, 16); c2 += 1) {
              if (M % 2 == 0) {
                for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 256; tune_e += 256) {
                  const tune_int tune_i0 = 16 * c2 + tune_e / 16;
                  const tune_int tune_first = 32 * c0 + 2 * (tune_e % 16);
                  if (M >= 32 * c1 + 2 && N >= tune_i0 + 1 && tune_i0 >= 0 && M >= tune_first + 4 && tune_first >= 0 && 32 * c1 + 28 >= tune_first) {
                    const double2 tune_vector = *(const double2 *) &data[tune_i0 * M + tune_first];
                    tune_data[tune_e / 16][2 * (tune_e % 16)] = tune_vector.x;
                    tune_data[tune_e / 16][2 * (tune_e % 16) + 1] = tune_vector.y;
                  }
                  else
                    for (int tune_k = 0; tune_k < 2; tune_k++) {
                      const tune_int tune_i1 = tune_first + tune_k;
                      if (M >= 32 * c1 + 2 && N >= tune_i0 + 1 && tune_i0 >= 0 && M >= tune_i1 + 2 && tune_i1 >= 0 && 32 * c1 + 30 >= tune_i1)
                        tune_data[tune_e / 16][2 * (tune_e % 16) + tune_k] = data[tune_i0 * M + tune_i1];
                    }
                }
              }
              else {
                for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 512; tune_e += 256) {
                  const tune_int tune_i0 = 16 * c2 + tune_e / 32;
                  const tune_int tune_i1 = 32 * c0 + tune_e % 32;
                  if (M >= 32 * c1 + 1 && N >= tune_i0 + 1 && tune_i0 >= 0 && M >= tune_i1 + 2 && tune_i1 >= 0 && 32 * c1 + 30 >= tune_i1)
                    tune_data[tune_e / 32][tune_e % 32] = data[tune_i0 * M + tune_i1];
                }
              }
              if (M % 2 == 0) {
                for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 256; tune_e += 256) {
                  const tune_int tune_i0 = 16 * c2 + tune_e / 16;
                  const tune_int tune_first = 32 * c1 + 2 * (tune_e % 16);
                  if (c0 >= 0 && N >= tune_i0 + 1 && tune_i0 >= 0 && tune_first >= 32 * c0 + 2 && M >= tune_first + 2) {
                    const double2 tune_vector = *(const double2 *) &data[tune_i0 * M + tune_first];
                    tune_data_[tune_e / 16][2 * (tune_e % 16)] = tune_vector.x;
                    tune_data_[tune_e / 16][2 * (tune_e % 16) + 1] = tune_vector.y;
                  }
                  else
                    for (int tune_k = 0; tune_k < 2; tune_k++) {
                      const tune_int tune_i1 = tune_first + tune_k;
                      if (c0 >= 0 && N >= tune_i0 + 1 && tune_i0 >= 0 && tune_i1 >= 32 * c0 + 1 && M >= tune_i1 + 1)
                        tune_data_[tune_e / 16][2 * (tune_e % 16) + tune_k] = data[tune_i0 * M + tune_i1];
                    }
                }
              }
              else {
                for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 512; tune_e += 256) {
                  const tune_int tune_i0 = 16 * c2 + tune_e / 32;
                  const tune_int tune_i1 = 32 * c1 + tune_e % 32;
                  if (c0 >= 0 && N >= tune_i0 + 1 && tune_i0 >= 0 && tune_i1 >= 32 * c0 + 1 && M >= tune_i1 + 1)
                    tune_data_[tune_e / 32][tune_e % 32] = data[tune_i0 * M + tune_i1];
                }
              }
              __syncthreads();
              for (tune_int c3 = 16 * c2; c3 <= tune_min(N - 1, 16 * c2 + 15); c3 += 1) {
                #pragma unroll
                for (int c4_turn = 0; c4_turn < 4; c4_turn++) {
                  const tune_int c4 = 32 * c0 + 8 * c4_turn + tune_thready;
                  if (c4 <= tune_min(tune_min(M - 2, 32 * c0 + 31), 32 * c1 + 30)) {
                    {
                      const tune_int c5 = 32 * c1 + tune_threadx;
                      if (c5 >= c4 + 1 && c5 <= tune_min(M - 1, 32 * c1 + 31)) {
                        tune_corr[c4_turn][0] += tune_data[c3 - 16 * c2][c4 - 32 * c0] * tune_data_[c3 - 16 * c2][c5 - 32 * c1];
                      }
                    }
                  }
                }
              }
              __syncthreads();
            }
            #pragma unroll
            for (int c2_turn = 0; c2_turn < 4; c2_turn++) {
              const tune_int c2 = 32 * c0 + 8 * c2_turn + tune_thready;
              if (c2 <= tune_min(tune_min(M - 2, 32 * c0 + 31), 32 * c1 + 30)) {
                {
                  const tune_int c3 = 32 * c1 + tune_threadx;
                  if (c3 >= c2 + 1 && c3 <= tune_min(M - 1, 32 * c1 + 31)) {
                    corr[c3 * M + c2] = tune_corr[c2_turn][0];
                  }
                }
              }
            }
            if (c0 == 0 && c1 == 0) {
              if (0 == tune_threadx) {
                if (0 == tune_thready) {
                  corr[(M - 1) * M + (M - 1)] = 1.0;
                }
              }
            }
            #pragma unroll
            for (int tune_k0 = 0; tune_k0 < 4; tune_k0++) {
              const tune_int tune_i0 = 32 * c0 + tune_thready + 8 * tune_k0;
              const tune_int tune_i1 = 32 * c1 + tune_threadx;
              if (M >= 32 * c1 + tune_threadx + 1 && 32 * c1 + tune_threadx >= tune_i0 + 1 && tune_i0 >= 0)
                corr[tune_i0 * M + tune_i1] = tune_corr[tune_k0][0];
            }
          }
        }
      }
    }
  }
}
