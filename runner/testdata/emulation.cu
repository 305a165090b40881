// Kernels of the tests of the emulation. The first argument names one; it prints what came out.
#include <atomic>
#include <cstdio>
#include <string>
#include <time.h>

static std::atomic<int> next;

__global__ void number(int *turn) {
  turn[blockIdx.x * blockDim.x + threadIdx.x] = next++;
}

// Prints the turns of 4 threads of 3 blocks.
static void numbered() {
  int turn[12];
  TUNE_LAUNCH(number, dim3(3), dim3(4), turn);
  for (int k = 0; k < 12; k++)
    printf("%d ", turn[k]);
}

constexpr int wide = 256;

template <bool first, bool second> __global__ void turned(double *a, int rounds) {
  __shared__ double s[wide];
  double *mine = a + blockIdx.x * wide + threadIdx.x;
  for (int k = 0; k < rounds; k++) {
    s[threadIdx.x] = *mine;
    if (first) __syncthreads();
    *mine = s[wide - 1 - threadIdx.x] + 1;
    if (second) __syncthreads();
  }
}

__global__ void increment(double *a) { a[blockIdx.x * wide + threadIdx.x] += 1; }

// Prints how many elements are wrong that some kernels have turned round and incremented.
template <class Kernel> static void counted(int blocks, int rounds, Kernel run) {
  double *a;
  cudaMalloc((void **) &a, sizeof(double) * blocks * wide);
  for (int k = 0; k < blocks * wide; k++)
    a[k] = k;
  run(a);
  int wrong = 0;
  for (int k = 0; k < blocks * wide; k++)
    wrong += a[k] != k + rounds;
  printf("%d wrong", wrong);
  cudaFree(a);
}

__global__ void half(double *) {
  if (threadIdx.x < 16)
    __syncthreads();
}

__global__ void halves(double *) {
  if (threadIdx.x < 16)
    __syncthreads();
  else
    __syncthreads();
}

__global__ void past(double *a, int extra) { a[threadIdx.x + extra] = 1; }

__global__ void past_shared(double *a, int extra) {
  __shared__ double s[8][9];
  s[0][threadIdx.x + extra] = 1;
  __syncthreads();
  a[threadIdx.x] = s[0][threadIdx.x];
}

static __constant__ double scale[2];

__global__ void scaled(double *a) { a[blockIdx.x * wide + threadIdx.x] += scale[1]; }

// In each round each block gives its elements, one more than they were, to the next block.
template <bool first, bool second> __global__ void given(double *a, int rounds) {
  __shared__ double s[wide];
  const int next = (blockIdx.x + 1) % gridDim.x;
  for (int k = 0; k < rounds; k++) {
    s[threadIdx.x] = a[blockIdx.x * wide + threadIdx.x];
    if (first) tune_wait_for_grid();
    a[next * wide + threadIdx.x] = s[threadIdx.x] + 1;
    if (second) tune_wait_for_grid();
  }
}

__global__ void some(double *) {
  if (blockIdx.x < 2)
    tune_wait_for_grid();
}

// The seconds that all threads had a processor: others may be busy.
static double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

// Prints how many millions of points are computed in a second of a processor, with so many rounds.
template <class Kernel> static void timed(int blocks, int rounds, Kernel run) {
  double *a, best = 1e30;
  cudaMalloc((void **) &a, sizeof(double) * blocks * wide);
  for (int k = 0; k < 9; k++) {
    const double begin = now();
    run(a);
    best = std::min(best, now() - begin);
  }
  printf("%g", 1e-6 * rounds * blocks * wide / best);
}

int main(int, char **argv) {
  const std::string name = argv[1];
  const int blocks = 40, rounds = 4;
  double a[9];
  if (name == "order") numbered();
  if (name == "right") counted(blocks, rounds, [](double *a) { TUNE_LAUNCH((turned<true, true>), dim3(blocks), dim3(wide), a, rounds); });
  if (name == "one") counted(blocks, rounds, [](double *a) { TUNE_LAUNCH((turned<false, true>), dim3(blocks), dim3(wide), a, rounds); });
  if (name == "other") counted(blocks, rounds, [](double *a) { TUNE_LAUNCH((turned<true, false>), dim3(blocks), dim3(wide), a, rounds); });
  if (name == "launches") counted(blocks, 300, [](double *a) { for (int k = 0; k < 300; k++) TUNE_LAUNCH(increment, dim3(blocks), dim3(wide), a); });
  if (name == "constant") {
    const double values[2] = {3, 4};
    cudaMemcpyToSymbol(scale, values, sizeof scale, 0, cudaMemcpyDeviceToDevice);
    counted(blocks, 4, [](double *a) { TUNE_LAUNCH(scaled, dim3(blocks), dim3(wide), a); });
  }
  if (name == "together") counted(4, 8, [](double *a) { TUNE_LAUNCH_TOGETHER((given<true, true>), dim3(4), dim3(wide), a, 8); });
  if (name == "first_alone") counted(4, 8, [](double *a) { TUNE_LAUNCH_TOGETHER((given<true, false>), dim3(4), dim3(wide), a, 8); });
  if (name == "second_alone") counted(4, 8, [](double *a) { TUNE_LAUNCH_TOGETHER((given<false, true>), dim3(4), dim3(wide), a, 8); });
  if (name == "some") TUNE_LAUNCH_TOGETHER(some, dim3(3), dim3(32), a);
  if (name == "apart") TUNE_LAUNCH(some, dim3(3), dim3(32), a);
  if (name == "many") TUNE_LAUNCH_TOGETHER(some, dim3(65), dim3(32), a);
  if (name == "half") TUNE_LAUNCH(half, dim3(2), dim3(32), a);
  if (name == "halves") TUNE_LAUNCH(halves, dim3(2), dim3(32), a);
  if (name == "threads") TUNE_LAUNCH(half, dim3(1), dim3(1025), a);
  if (name == "deep") TUNE_LAUNCH(half, dim3(1), dim3(1, 1, 65), a);
  if (name == "grid") TUNE_LAUNCH(half, dim3(1, 65536), dim3(1), a);
  if (name == "none") TUNE_LAUNCH(half, dim3(0), dim3(1), a);
  if (name == "most") TUNE_LAUNCH(number, dim3(1), dim3(32, 32), (int *) new int[1024]);
  if (name == "inside" || name == "past") {
    double *b;
    cudaMalloc((void **) &b, 8 * sizeof *b);
    TUNE_LAUNCH(past, dim3(1), dim3(8), b, name == "past");
  }
  if (name == "inside" || name == "past_shared") TUNE_LAUNCH(past_shared, dim3(1), dim3(8), a, name == "past_shared" ? 2 : 0);
  if (name == "barriers") timed(40, 20, [](double *a) { TUNE_LAUNCH((turned<true, true>), dim3(40), dim3(wide), a, 20); });
  if (name == "few") timed(40, 40, [](double *a) { for (int k = 0; k < 40; k++) TUNE_LAUNCH(increment, dim3(40), dim3(wide), a); });
  const cudaError_t error = cudaGetLastError();
  if (error) {
    printf("%s", cudaGetErrorString(error));
    return 3;
  }
}
