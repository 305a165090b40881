// Fails at the stage schedule:
//   structure 0, options {Model:pluto CoefficientBound:0 Tile:{None:true Sizes:[] Scale:0 VectorScale:0 Height:0} CacheBytes:32768 SecondCacheBytes:0 ThirdCacheBytes:0 Run:{Parameters:map[] Threads:0} Vector:{Bits:0 Registers:0} Registers:{Rows:0 Vectors:0 Off:false} NoPack:false Lanes:0 NoAhead:false Interleave:0 NoPhases:false Collapse:false Sharing:0 Marking:0 Stores:0 NoContract:false NoParallel:false NoWavefront:false Degrees:0 Diamond:0 SecondLevel:false NoSeparate:false NoVector:false Fusion:smart Order:stride Original:false Space:{Mode:exact MaxPeel:0 Signed:false Cuts:[]}}: schedule tree: isl: syntax error (isl_stream.c:140)
//   classes {S0}
//   band c0 permutable S0[j, k] -> [j, k]
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/schedule-297249236833.c
// program: {"Seed":297249236833,"Arrays":[{"Name":"A","Type":"double","Dimensions":2},{"Name":"B","Type":"double","Dimensions":3},{"Name":"C","Type":"double","Dimensions":1},{"Name":"s","Type":"double","Dimensions":0},{"Name":"t","Type":"double","Dimensions":0}],"Body":[{"Loop":{"Iterator":"j","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Constant":0}}],"Step":1,"Body":[{"Loop":{"Iterator":"k","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"k"}],"Constant":0},"Right":{"Constant":0}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"C","Subscripts":[{"Constant":0}]},"Operator":"=","Values":[{"Factor":"1"}]}}]}}]}}]}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, double C[1])
{
#pragma scop
  for (int j = 0; j < 0; ++j) {
    for (int k = 0; k < 0; k++) {
      C[0] = 1;
    }
  }
#pragma endscop
}
