// Fails at the stage dependences:
//   pairs of WAW S0 -> S1 at N=0, M=0: [][] is in the model but not found by execution
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/dependences-784330478242.c
// program: {"Seed":784330478242,"Arrays":[{"Name":"A","Type":"int","Dimensions":1},{"Name":"B","Type":"double","Dimensions":1},{"Name":"C","Type":"double","Dimensions":1},{"Name":"s","Type":"double","Dimensions":0},{"Name":"t","Type":"double","Dimensions":0}],"Body":[{"Assignment":{"Target":{"Array":"C","Subscripts":[{"Terms":[{"Factor":1,"Masked":{"Array":"A","Subscripts":[{"Constant":0}]}}],"Constant":0}]},"Operator":"=","Values":[{"Factor":"1"}]}},{"Assignment":{"Target":{"Array":"C","Subscripts":[{"Constant":0}]},"Operator":"=","Values":[{"Factor":"1"}]}}],"Reassociate":true}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, int A[1], double C[8])
{
#pragma scop
  C[(A[0] & 7)] = 1;
  C[0] = 1;
#pragma endscop
}
