// Fails at the stage dependences:
//   pairs of WAW S0 -> S0 at N=2, M=3: [0][1] is found by execution but not in the model
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/dependences-951143551430.c
// program: {"Seed":951143551430,"Arrays":[{"Name":"A","Type":"double","Dimensions":1},{"Name":"B","Type":"double","Dimensions":3},{"Name":"C","Type":"double","Dimensions":2},{"Name":"s","Type":"double","Dimensions":0},{"Name":"t","Type":"double","Dimensions":0}],"Body":[{"Loop":{"Iterator":"j","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":0}}],"Step":1,"Body":[{"Assignment":{"Declare":"double","Target":{"Array":"local1"},"Operator":"=","Values":[{"Factor":"1"}]}}]}}]}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M)
{
#pragma scop
  for (int j = 0; j < M; j++) {
    double local1 = 1;
  }
#pragma endscop
}
