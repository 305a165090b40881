// Fails at the stage crash:
//   exit status 2
//   panic: runtime error: index out of range [0] with length 0
//   
//   
// Repeat: go run ./cmd/fuzz /tmp/w/fz1/crash-252455069651.c
// program: {"Seed":252455069651,"Arrays":[{"Name":"A","Type":"int","Dimensions":1},{"Name":"B","Type":"int","Dimensions":2},{"Name":"C","Type":"int","Dimensions":2},{"Name":"s","Type":"int","Dimensions":0,"Global":true},{"Name":"t","Type":"int","Dimensions":0}],"Body":[{"Loop":{"Iterator":"i","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"N"}],"Constant":0}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"C","Subscripts":[{"Terms":[{"Factor":1,"Variable":"i"},{"Factor":1,"Variable":"i"}],"Constant":2},{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}]},"Operator":"=","Values":[{"Factor":"1"}]}},{"Loop":{"Iterator":"j","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Constant":7}}],"Step":1,"Body":[{"Loop":{"Iterator":"k","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"k"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"N"}],"Constant":-1}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"t"},"Operator":"min","Values":[{"Factor":"3","Element":{"Array":"C","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}]}},{"Factor":"1","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":-1,"Variable":"k"},{"Factor":-2,"Variable":"j"}],"Constant":-3}]}}]}}]}},{"Assignment":{"Target":{"Array":"C","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":2},{"Terms":[{"Factor":1,"Variable":"i"},{"Factor":1,"Variable":"j"}],"Constant":2}]},"Operator":"=","Values":[{"Factor":"-1","Element":{"Array":"B","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":2},{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}]}}]}}]}}]}}],"Reassociate":true}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static int smaller(int a, int b) { return a < b ? a : b; }
void kernel(int N, int M, int A[46], int B[9][33], int C[67][41], double result[1])
{
  int t = 3;
#pragma scop
  for (int i = 0; i < N; i++) {
    C[i + i + 2][i] = (1) % 101;
    for (int j = 0; j < 7; ++j) {
      for (int k = 0; k < N - 1; k++) {
        t = smaller(t, (3 * C[j][i] + 1 * A[-k - 2 * j + 43]) % 101);
      }
      C[j + 2][i + j + 2] = (-1 * B[j + 2][i]) % 101;
    }
  }
#pragma endscop
  result[0] = t;
}
