// Fails at the stage transform:
//   structure 0, options {Tile:{None:true Sizes:[] Scale:0 VectorScale:0} CacheBytes:32768 NoParallel:false NoWavefront:false NoSeparate:false NoVector:false Fusion:smart Original:false Space:{Mode:exact MaxPeel:0 Signed:false Cuts:[]}}: class c0: isl: unbounded optimum (isl_tab_pip.c:713)
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/transform-579935151001.c
// program: {"Seed":579935151001,"Arrays":[{"Name":"A","Type":"double","Dimensions":1},{"Name":"B","Type":"double","Dimensions":1},{"Name":"s","Type":"double","Dimensions":0},{"Name":"t","Type":"double","Dimensions":0}],"Body":[{"Loop":{"Iterator":"i","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"N"}],"Constant":0}}],"Step":3,"Body":[{"Assignment":{"Target":{"Array":"B","Subscripts":[{"Constant":0}]},"Operator":"=","Values":[{"Factor":"2"}]}}]}}]}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, double B[1])
{
#pragma scop
  for (int i = 0; i < N; i = i + 3) {
    B[0] = 2;
  }
#pragma endscop
}
