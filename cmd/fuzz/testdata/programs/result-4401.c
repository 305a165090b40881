// Fails at the stage result:
//   cuda: the run is invalid: no such size or scalar: A[4]=1
//   classes {S0 S1}
//   split c0 {S0} {S1}
//   
// recipe: classes {S0 S1}
// recipe: split c0 {S0} {S1}
// recipe: kernel c0
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/result-4401.c
// program: {"Seed":4401,"Arrays":[{"Name":"A","Type":"int","Dimensions":1,"Parametric":true},{"Name":"B","Type":"int","Dimensions":1,"Parametric":true},{"Name":"C","Type":"int","Dimensions":2,"Parametric":true},{"Name":"s","Type":"int","Dimensions":0},{"Name":"t","Type":"double","Dimensions":0,"Global":true}],"Body":[{"Assignment":{"Target":{"Array":"C","Subscripts":[{"Constant":0},{"Constant":0}]},"Operator":"=","Values":[{"Factor":"-1","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":0}]}}]}},{"Assignment":{"Target":{"Array":"B","Subscripts":[{"Constant":-3}]},"Operator":"=","Values":[{"Factor":"-1","Element":{"Array":"B","Subscripts":[{"Terms":[{"Factor":1,"Masked":{"Array":"A","Subscripts":[{"Constant":1}]}}],"Constant":0}]}}]}}],"Bare":true}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, int A[M + 8], int B[N + 13], int C[N + 3][N + 3])
{
#pragma scop
  C[0][0] = (-1 * A[M + 3]) % 101;
  B[0] = (-1 * B[(A[4] & 7) + 3]) % 101;
#pragma endscop
}
