// Fails at the stage result:
//   variant 6 at N=2, M=3: element 162 of B is 88, not 1
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/result-41000070.c
// recipe: original
// recipe: skew c0.1 by 2 c0.2
// recipe: copy B at c0.1
// recipe: copy B at c2.1
// program: {"Seed":41000069,"Arrays":[{"Name":"A","Type":"int","Dimensions":3,"Parametric":true},{"Name":"B","Type":"int","Dimensions":2},{"Name":"C","Type":"int","Dimensions":2},{"Name":"s","Type":"double","Dimensions":0},{"Name":"t","Type":"double","Dimensions":0}],"Body":[{"Loop":{"Iterator":"i","Start":{"Constant":2},"Tests":[{"Operator":"!=","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Constant":3}}],"Step":1,"Body":[{"Loop":{"Iterator":"j","Start":{"Constant":2},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":0}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"B","Subscripts":[{"Terms":[{"Factor":2,"Variable":"j"}],"Constant":1},{"Terms":[{"Factor":2,"Variable":"i"}],"Constant":3}]},"Operator":"=","Values":[{"Factor":"1"}]}}]}}]}},{"Loop":{"Iterator":"i","Start":{"Constant":1},"Tests":[{"Operator":"!=","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":0}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"A","Subscripts":[{"Terms":[{"Factor":2,"Variable":"i"}],"Constant":2},{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":2},{"Terms":[{"Factor":1,"Variable":"M"},{"Factor":-1,"Variable":"i"}],"Constant":-1}]},"Operator":"-=","Values":[{"Factor":"3","Element":{"Array":"B","Subscripts":[{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":-1},{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}]}},{"Factor":"2","Integer":{"Terms":[{"Factor":1,"Variable":"N"},{"Factor":-1,"Variable":"i"}],"Constant":0}}]}}]}},{"Loop":{"Iterator":"i","Start":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":-1},"Tests":[{"Operator":"\u003e","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Constant":2}}],"Step":-1,"Body":[{"Loop":{"Iterator":"j","Start":{"Constant":2},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Constant":7}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"B","Subscripts":[{"Terms":[{"Factor":2,"Variable":"j"}],"Constant":0},{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0}]},"Operator":"-=","Values":[{"Factor":"3","Element":{"Array":"C","Subscripts":[{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":2},{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}]}},{"Factor":"2"}]}}]}}]}}],"IteratorsOutside":true}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, int A[N + 30][M + 2][M + 0], int B[62][31], int C[33][31])
{
  int i, j;
#pragma scop
  for (i = 2; i != 3; i++) {
    for (j = 2; j < M; ++j) {
      B[2 * j + 1][2 * i + 3] = (1) % 101;
    }
  }
  for (i = 1; i != M; i++) {
    A[2 * i + 2][i + 2][M - i - 1] -= (3 * B[M - 1][i] + 2 * (N - i)) % 101;
  }
  for (i = M - 1; i > 2; i--) {
    for (j = 2; j < 7; ++j) {
      B[2 * j][j] -= (3 * C[i + 2][i] + 2) % 101;
    }
  }
#pragma endscop
}
