// Fails at the stage result:
//   variant 0 at N=0, M=0: element 0 of A is 0, not 0.5
//   void kernel(int N, int M, double A[1][1])
//   {
//   
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/result-464911150954.c
// program: {"Seed":464911150954,"Arrays":[{"Name":"A","Type":"double","Dimensions":2},{"Name":"B","Type":"double","Dimensions":2},{"Name":"s","Type":"double","Dimensions":0},{"Name":"t","Type":"double","Dimensions":0}],"Body":[{"Loop":{"Iterator":"i","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Constant":1}}],"Step":1,"Body":[{"Assignment":{"Declare":"double","Target":{"Array":"local1"},"Operator":"=","Values":[{"Factor":"2"}]}},{"Assignment":{"Target":{"Array":"A","Subscripts":[{"Constant":0},{"Constant":0}]},"Operator":"=","Values":[{"Factor":"0.25","Element":{"Array":"local1"}}]}}]}}]}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, double A[1][1])
{
#pragma scop
  for (int i = 0; i < 1; ++i) {
    double local1 = 2;
    A[0][0] = 0.25 * local1;
  }
#pragma endscop
}
