// Fails at the stage result:
//   variant 0 at N=1, M=0: element 0 of A is -0, not -0.29999999999999999
//   void kernel(int N, int M, double A[1])
//   {
//   
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/result-464911150966.c
// program: {"Seed":464911150966,"Arrays":[{"Name":"A","Type":"double","Dimensions":1},{"Name":"B","Type":"double","Dimensions":1},{"Name":"s","Type":"double","Dimensions":0},{"Name":"t","Type":"double","Dimensions":0}],"Body":[{"Loop":{"Iterator":"k","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"k"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"N"}],"Constant":0}}],"Step":1,"Body":[{"If":{"Condition":{"Operator":"==","Left":{"Terms":[{"Factor":1,"Variable":"k"}],"Constant":0},"Right":{"Constant":0}},"Then":[{"Assignment":{"Declare":"double","Target":{"Array":"local1"},"Operator":"=","Values":[{"Factor":"1"}]}},{"Assignment":{"Target":{"Array":"A","Subscripts":[{"Constant":0}]},"Operator":"=","Values":[{"Factor":"-0.3","Element":{"Array":"local1"}}]}}]}}]}}]}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, double A[1])
{
#pragma scop
  for (int k = 0; k < N; ++k) {
    if (k == 0) {
      double local1 = 1;
      A[0] = -0.3 * local1;
    }
  }
#pragma endscop
}
