// Fails at the stage transform:
//   structure 0, options {Tile:{None:true Sizes:[] Scale:0 VectorScale:0} CacheBytes:32768 NoParallel:false NoWavefront:false NoSeparate:false NoVector:false Fusion:smart Original:false Space:{Mode:exact MaxPeel:0 Signed:false Cuts:[]}}: class c0: isl: unbounded optimum (isl_tab_pip.c:713)
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/transform-579935151003.c
// program: {"Seed":579935151003,"Arrays":[{"Name":"A","Type":"double","Dimensions":3},{"Name":"B","Type":"double","Dimensions":1},{"Name":"C","Type":"double","Dimensions":2},{"Name":"D","Type":"double","Dimensions":2},{"Name":"s","Type":"double","Dimensions":0},{"Name":"t","Type":"double","Dimensions":0}],"Body":[{"Loop":{"Iterator":"j","Start":{"Terms":[{"Factor":1,"Variable":"N"}],"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":2,"Variable":"j"}],"Constant":0},"Right":{"Constant":0}}],"Step":3,"Body":[{"Assignment":{"Target":{"Array":"C","Subscripts":[{"Constant":0},{"Constant":0}]},"Operator":"=","Values":[{"Factor":"1"}]}}]}}]}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, double C[1][1])
{
#pragma scop
  for (int j = N; 2 * j < 0; j += 3) {
    C[0][0] = 1;
  }
#pragma endscop
}
