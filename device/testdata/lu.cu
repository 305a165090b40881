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
  __shared__ double tune_A[32][1];
  __shared__ double tune_A_[1][33];
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_thready = threadIdx.y;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  const tune_int tune_blocky = tune_firsty + (tune_int) blockIdx.y;
  {
    const tune_int c1 = (c0 + 1) / 32 + tune_blocky;
    {
      const tune_int c2 = (c0 + 1) / 32 + tune_blockx;
      for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 32; tune_e += 256) {
        const tune_int tune_i0 = 32 * c1 + tune_e;
        const tune_int tune_i1 = c0;
        if (N >= c0 + 1 && c0 >= 0 && N >= tune_i0 + 1 && tune_i0 >= 0)
          tune_A[tune_e][0] = A[tune_i0 * N + tune_i1];
      }
      if (N % 2 == 0) {
        for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 16; tune_e += 256) {
          const tune_int tune_i0 = c0;
          const tune_int tune_first = 32 * c2 + 2 * tune_e;
          if (N >= c0 + 1 && c0 >= 0 && N >= tune_first + 2 && tune_first >= 0) {
            const double2 tune_vector = *(const double2 *) &A[tune_i0 * N + tune_first];
            tune_A_[0][2 * tune_e] = tune_vector.x;
            tune_A_[0][2 * tune_e + 1] = tune_vector.y;
          }
        }
      }
      else {
        for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 32; tune_e += 256) {
          const tune_int tune_i0 = c0;
          const tune_int tune_i1 = 32 * c2 + tune_e;
          if (N >= c0 + 1 && c0 >= 0 && N >= tune_i1 + 1 && tune_i1 >= 0)
            tune_A_[0][tune_e] = A[tune_i0 * N + tune_i1];
        }
      }
      __syncthreads();
      for (tune_int c3 = 32 * c1 + tune_thready; c3 <= tune_min(N - 1, 32 * c1 + 31); c3 += 8) {
        if (c3 >= c0 + 1) {
          for (tune_int c4 = 32 * c2 + tune_threadx; c4 <= tune_min(32 * c2 + 31, c3 - 1); c4 += 32) {
            if (c4 >= c0 + 1) {
              A[c3 * N + c4] -= tune_A[c3 - 32 * c1][0] * tune_A_[0][c4 - 32 * c2];
            }
          }
          for (tune_int c4 = 32 * c2 + tune_threadx; c4 <= tune_min(N - 1, 32 * c2 + 31); c4 += 32) {
            if (c4 >= c3) {
              A[c3 * N + c4] -= tune_A[c3 - 32 * c1][0] * tune_A_[0][c4 - 32 * c2];
            }
          }
        }
      }
    }
  }
}
