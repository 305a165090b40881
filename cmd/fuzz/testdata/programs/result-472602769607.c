// Fails at the stage result:
//   variant 15 at N=12, M=13: element 0 of A is -0.015051138015791291, not -0.011474574289976371
//   void kernel(int N, int M, double A[34])
//   {
//   
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/result-472602769607.c
// program: {"Seed":472602769607,"Arrays":[{"Name":"A","Type":"double","Dimensions":1}],"Body":[{"Loop":{"Iterator":"i","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Constant":6}}],"Step":1,"Body":[{"Loop":{"Iterator":"j","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"N"}],"Constant":0}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0}]},"Operator":"=","Values":[{"Factor":"0.125","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0}]}},{"Factor":"0.25","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0}]}},{"Factor":"-0.3","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":1}]}}]}}]}}]}}],"Bare":true}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, double A[34])
{
#pragma scop
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < N; ++j)
      A[j] = 0.125 * A[j] + 0.25 * A[j] + -0.3 * A[j + 1];
#pragma endscop
}
