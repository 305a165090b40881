// Fails at the stage result:
//   random: signal: aborted: double free or corruption (out)
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/result-364671847700.c
// program: {"Seed":364671847700,"Arrays":[{"Name":"A","Type":"double","Dimensions":1},{"Name":"B","Type":"double","Dimensions":1},{"Name":"s","Type":"double","Dimensions":0},{"Name":"t","Type":"double","Dimensions":0},{"Name":"P","Type":"double","Dimensions":2},{"Name":"w","Type":"double","Dimensions":0}],"Body":[{"Loop":{"Iterator":"i","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Constant":7}}],"Step":1,"Body":[{"Loop":{"Iterator":"j","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"w"},"Operator":"=","Values":[{"Factor":"1"}]}}]}}]}}]}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, double result[1])
{
  double w = 3;
#pragma scop
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < i; j++) {
      w = 1;
    }
  }
#pragma endscop
  result[0] = w;
}
