// Fails at the stage compile:
//   gcc: exit status 1: /tmp/polytune-fuzz-1715974825/random.c: In function ‘variant0’:
//   /tmp/polytune-fuzz-1715974825/random.c:56:22: error: redeclaration of ‘tune_copy0’ with no linkage
//      56 |               double tune_copy0[8] __attribute__((aligned(64)));
//   
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/compile-155793359134.c
// program: {"Seed":155793359134,"Arrays":[{"Name":"A","Type":"double","Dimensions":1}],"Body":[{"Loop":{"Iterator":"i","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":0}}],"Step":1,"Body":[{"Loop":{"Iterator":"j","Start":{"Constant":1},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"N"}],"Constant":0}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0}]},"Operator":"=","Values":[{"Factor":"1"}]}}]}}]}}]}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, double A[33])
{
#pragma scop
  for (int i = 0; i < M; ++i) {
    for (int j = 1; j < N; j++) {
      A[j] = 1;
    }
  }
#pragma endscop
}
