// Fails at the stage result:
//   opencl: compile: /usr/bin/gcc failed with exit status 1:
//   variant.c: In function 'kernel':
//   variant.c:35:15: error: 'C_1' undeclared (first use in this function)
//   
// recipe: expand 2000
// recipe: classes {S0 S2} {S1}
// recipe: split c0 {S0} {S2}
// recipe: band c0_0 permutable S0[i, j, k] -> [j, -i + 6, k]
// recipe: band c0_1 permutable S2[i, j, k, element_1, element_2] -> [i, j, element_1, k, element_2]
// recipe: band c1 permutable S1[i] -> [-i + 6]
// recipe: kernel c1.1
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/result-710000.c
// program: {"Seed":710000,"Arrays":[{"Name":"A","Type":"double","Dimensions":2,"Parametric":true},{"Name":"B","Type":"double","Dimensions":1,"Parametric":true},{"Name":"C","Type":"double","Dimensions":2},{"Name":"D","Type":"double","Dimensions":1,"Parametric":true},{"Name":"s","Type":"float","Dimensions":0,"Global":true},{"Name":"t","Type":"double","Dimensions":0}],"Body":[{"Loop":{"Iterator":"i","Start":{"Constant":6},"Tests":[{"Operator":"\u003e","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Constant":2}}],"Step":-1,"Body":[{"Loop":{"Iterator":"j","Start":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":1},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Constant":7}}],"Step":1,"Body":[{"Loop":{"Iterator":"k","Start":{"Constant":2},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"k"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":0}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"C","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":1},{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}]},"Operator":"=","Values":[{"Factor":"0.125","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},{"Constant":0}]},"Condition":{"Operator":"!","Parts":[{"Operator":"\u003e","Left":{"Terms":[{"Factor":1,"Variable":"N"}],"Constant":0},"Right":{"Constant":5}}],"Left":{"Constant":0},"Right":{"Constant":0}},"Otherwise":{"Array":"B","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"},{"Factor":1,"Variable":"k"}],"Constant":1}]}},{"Factor":"-0.3","Integer":{"Terms":[{"Factor":1,"Variable":"k"}],"Constant":3}}]}}]}}]}},{"If":{"Condition":{"Operator":"\u003e=","Left":{"Terms":[{"Factor":1,"Variable":"N"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":0}},"Then":[{"Assignment":{"Target":{"Array":"s"},"Operator":"+=","Values":[{"Factor":"-0.002","Function":"fabs","Element":{"Array":"B","Subscripts":[{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":1}]},"Condition":{"Operator":"==","Left":{"Terms":[{"Factor":1,"Quotient":{"Dividend":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Operator":"%","Divisor":3}}],"Constant":0},"Right":{"Constant":0}},"Otherwise":{"Array":"B","Subscripts":[{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}]}}]}}]}}]}}]}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static float s;
void kernel(int N, int M, double A[M + 4][N + 3], double B[M + 11], double C[8][6], double result[1])
{
  s = 3;
#pragma scop
  for (int i = 6; i > 2; i--) {
    for (int j = i + 1; j < 7; j++) {
      for (int k = 2; k < M; ++k) {
        C[j + 1][i] = 0.125 * (!(N > 5) ? A[j][0] : B[j + k + 1]) + -0.3 * (k + 3);
      }
    }
    if (N >= M) {
      s += -0.002 * fabs(((i % 3) == 0 ? B[i + 1] : B[i]));
    }
  }
#pragma endscop
  result[0] = s;
}
