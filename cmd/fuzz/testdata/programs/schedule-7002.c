// Fails at the stage schedule:
//   structure 0-0, options {Model:pluto+ CoefficientBound:4 Tile:{None:false Sizes:[] Scale:0.5 VectorScale:0} CacheBytes:1024 NoParallel:false NoWavefront:false Degrees:3 Diamond:0 SecondLevel:false NoSeparate:true NoVector:false Fusion:max Order:score Original:false Space:{Mode:exact MaxPeel:0 Signed:false Cuts:[]}}: recipe line 5: parallel c0.1: illegal schedule: RAW dependence of S1 on S1 (references 0 and 0): the loop marked "parallel c0.1" carries it; for example in [M] -> { S1[i] -> S1[i'] : i >= 0 and i < i' < M }; the loop needs reduction(+:t)
//   reassociate
//   classes {S0 S1}
//   
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/schedule-7002.c
// program: {"Seed":7002,"Arrays":[{"Name":"A","Type":"int","Dimensions":2,"Parametric":true},{"Name":"B","Type":"int","Dimensions":2,"Parametric":true},{"Name":"s","Type":"int","Dimensions":0},{"Name":"t","Type":"int","Dimensions":0}],"Body":[{"Assignment":{"Target":{"Array":"A","Subscripts":[{"Constant":0},{"Constant":0}]},"Operator":"=","Values":[{"Factor":"1"}]}},{"Loop":{"Iterator":"i","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":0}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"t"},"Operator":"+=","Values":[{"Factor":"3","Element":{"Array":"A","Subscripts":[{"Constant":0},{"Terms":[{"Factor":1,"Variable":"M"},{"Factor":-1,"Variable":"i"}],"Constant":-2}]}}]}}]}}],"Reassociate":true}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, int A[N + 3][M + 5], double result[1])
{
  int t = 3;
#pragma scop
  A[0][1] = (1) % 101;
  for (int i = 0; i < M; ++i) {
    t += (3 * A[0][M - i - 1]) % 101;
  }
#pragma endscop
  result[0] = t;
}
