// Fails at the stage dependences:
//   pairs of WAW S0 -> S1 at N=0, M=0: [2][] is found by execution but not in the model
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/dependences-676669085379.c
// program: {"Seed":676669085379,"Arrays":[{"Name":"A","Type":"double","Dimensions":2},{"Name":"B","Type":"double","Dimensions":2},{"Name":"C","Type":"double","Dimensions":2},{"Name":"D","Type":"int","Dimensions":1},{"Name":"s","Type":"double","Dimensions":0},{"Name":"t","Type":"double","Dimensions":0}],"Body":[{"Loop":{"Iterator":"j","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Constant":3}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":1},{"Constant":0}]},"Operator":"=","Values":[{"Factor":"1"}]}}]}},{"Assignment":{"Target":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Masked":{"Array":"D","Subscripts":[{"Constant":0}]}}],"Constant":0},{"Constant":0}]},"Operator":"=","Values":[{"Factor":"1"}]}}],"Reassociate":true}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, double A[8][1], int D[1])
{
#pragma scop
  for (int j = 0; j < 3; ++j) {
    A[j + 1][0] = 1;
  }
  A[(D[0] & 7)][0] = 1;
#pragma endscop
}
