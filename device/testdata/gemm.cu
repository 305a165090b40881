template <typename tune_int>
__global__ void __launch_bounds__(256) k0(double *__restrict__ C, const double *__restrict__ A, const double *__restrict__ B, const double beta, const double alpha, const tune_int NI, const tune_int NJ, const tune_int NK, const tune_int tune_firsty) {
  __shared__ double tune_A[32][17];
  __shared__ double tune_B[16][33];
  const tune_int tune_threadx = threadIdx.x;
  const tune_int tune_thready = threadIdx.y;
  const tune_int tune_blockx = (tune_int) blockIdx.x;
  const tune_int tune_blocky = tune_firsty + (tune_int) blockIdx.y;
  {
    const tune_int c0 = tune_blocky;
    {
      const tune_int c1 = tune_blockx;
      {
        double tune_C[4][1];
        #pragma unroll
        for (int tune_k0 = 0; tune_k0 < 4; tune_k0++) {
          const tune_int tune_i0 = 32 * c0 + tune_thready + 8 * tune_k0;
          const tune_int tune_i1 = 32 * c1 + tune_threadx;
          if (NJ >= 32 * c1 + tune_threadx + 1 && 32 * c1 + tune_threadx >= 0 && NI >= tune_i0 + 1 && tune_i0 >= 0)
            tune_C[tune_k0][0] = C[tune_i0 * NJ + tune_i1];
        }
        for (tune_int c2 = 0; c2 <= (NK <= 16 ? 0 : (NK + 15) / 16 - 1); c2 += 1) {
          if (NK % 2 == 0) {
            for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 256; tune_e += 256) {
              const tune_int tune_i0 = 32 * c0 + tune_e / 8;
              const tune_int tune_first = 16 * c2 + 2 * (tune_e % 8);
              if (c1 >= 0 && NJ >= 32 * c1 + 1 && NI >= tune_i0 + 1 && tune_i0 >= 0 && NK >= tune_first + 2 && tune_first >= 0) {
                const double2 tune_vector = *(const double2 *) &A[tune_i0 * NK + tune_first];
                tune_A[tune_e / 8][2 * (tune_e % 8)] = tune_vector.x;
                tune_A[tune_e / 8][2 * (tune_e % 8) + 1] = tune_vector.y;
              }
            }
          }
          else {
            for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 512; tune_e += 256) {
              const tune_int tune_i0 = 32 * c0 + tune_e / 16;
              const tune_int tune_i1 = 16 * c2 + tune_e % 16;
              if (c1 >= 0 && NJ >= 32 * c1 + 1 && NI >= tune_i0 + 1 && tune_i0 >= 0 && NK >= tune_i1 + 1 && tune_i1 >= 0)
                tune_A[tune_e / 16][tune_e % 16] = A[tune_i0 * NK + tune_i1];
            }
          }
          if (NJ % 2 == 0) {
            for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 256; tune_e += 256) {
              const tune_int tune_i0 = 16 * c2 + tune_e / 16;
              const tune_int tune_first = 32 * c1 + 2 * (tune_e % 16);
              if (c0 >= 0 && NI >= 32 * c0 + 1 && NK >= tune_i0 + 1 && tune_i0 >= 0 && NJ >= tune_first + 2 && tune_first >= 0) {
                const double2 tune_vector = *(const double2 *) &B[tune_i0 * NJ + tune_first];
                tune_B[tune_e / 16][2 * (tune_e % 16)] = tune_vector.x;
                tune_B[tune_e / 16][2 * (tune_e % 16) + 1] = tune_vector.y;
              }
            }
          }
          else {
            for (int tune_e = tune_threadx + 32 * tune_thready; tune_e < 512; tune_e += 256) {
              const tune_int tune_i0 = 16 * c2 + tune_e / 32;
              const tune_int tune_i1 = 32 * c1 + tune_e % 32;
              if (c0 >= 0 && NI >= 32 * c0 + 1 && NK >= tune_i0 + 1 && tune_i0 >= 0 && NJ >= tune_i1 + 1 && tune_i1 >= 0)
                tune_B[tune_e / 32][tune_e % 32] = B[tune_i0 * NJ + tune_i1];
            }
          }
          __syncthreads();
          if (NK >= 1) {
            if (c2 == 0) {
              #pragma unroll
              for (int c4_turn = 0; c4_turn < 4; c4_turn++) {
                const tune_int c4 = 32 * c0 + 8 * c4_turn + tune_thready;
                if (c4 <= tune_min(NI - 1, 32 * c0 + 31)) {
                  {
                    const tune_int c5 = 32 * c1 + tune_threadx;
                    if (c5 <= tune_min(NJ - 1, 32 * c1 + 31)) {
                      tune_C[c4_turn][0] *= beta;
                      tune_C[c4_turn][0] += alpha * tune_A[c4 - 32 * c0][-(16 * c2)] * tune_B[-(16 * c2)][c5 - 32 * c1];
                    }
                  }
                }
              }
            }
            for (tune_int c3 = tune_max(1, 16 * c2); c3 <= tune_min(NK - 1, 16 * c2 + 15); c3 += 1) {
              #pragma unroll
              for (int c4_turn = 0; c4_turn < 4; c4_turn++) {
                const tune_int c4 = 32 * c0 + 8 * c4_turn + tune_thready;
                if (c4 <= tune_min(NI - 1, 32 * c0 + 31)) {
                  {
                    const tune_int c5 = 32 * c1 + tune_threadx;
                    if (c5 <= tune_min(NJ - 1, 32 * c1 + 31)) {
                      tune_C[c4_turn][0] += alpha * tune_A[c4 - 32 * c0][c3 - 16 * c2] * tune_B[c3 - 16 * c2][c5 - 32 * c1];
                    }
                  }
                }
              }
            }
          }
          else {
            if (c2 == 0) {
              #pragma unroll
              for (int c4_turn = 0; c4_turn < 4; c4_turn++) {
                const tune_int c4 = 32 * c0 + 8 * c4_turn + tune_thready;
                if (c4 <= tune_min(NI - 1, 32 * c0 + 31)) {
                  {
                    const tune_int c5 = 32 * c1 + tune_threadx;
                    if (c5 <= tune_min(NJ - 1, 32 * c1 + 31)) {
                      tune_C[c4_turn][0] *= beta;
                    }
                  }
                }
              }
            }
          }
          __syncthreads();
        }
        #pragma unroll
        for (int tune_k0 = 0; tune_k0 < 4; tune_k0++) {
          const tune_int tune_i0 = 32 * c0 + tune_thready + 8 * tune_k0;
          const tune_int tune_i1 = 32 * c1 + tune_threadx;
          if (NJ >= 32 * c1 + tune_threadx + 1 && 32 * c1 + tune_threadx >= 0 && NI >= tune_i0 + 1 && tune_i0 >= 0)
            C[tune_i0 * NJ + tune_i1] = tune_C[tune_k0][0];
        }
      }
    }
  }
}
