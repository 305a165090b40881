// Fails at the stage crash:
//   exit status 2
//   panic: runtime error: index out of range [0] with length 0
//   
//   
// Repeat: go run ./cmd/fuzz /tmp/lead/fuzzfail/crash-718681863948.c
// program: {"Seed":718681863948,"Arrays":[{"Name":"A","Type":"double","Dimensions":1},{"Name":"B","Type":"double","Dimensions":3},{"Name":"C","Type":"double","Dimensions":3},{"Name":"s","Type":"double","Dimensions":0,"Temporary":true},{"Name":"t","Type":"int","Dimensions":0,"Temporary":true},{"Name":"T","Type":"double","Dimensions":1,"Temporary":true}],"Body":[{"Loop":{"Iterator":"i","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Constant":3}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"t"},"Operator":"=","Values":[{"Factor":"1"}]}},{"Loop":{"Iterator":"j","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"N"}],"Constant":0}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"t"},"Operator":"+=","Values":[{"Factor":"1"}]}}]}}]}}]}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M)
{
  int t = 3;
#pragma scop
  for (int i = 0; i < 3; ++i) {
    t = (1) % 101;
    for (int j = 0; j < N; j++) {
      t += (1) % 101;
    }
  }
#pragma endscop
}
