// Fails at the stage schedule:
//   partition 0, options {Tile:{None:true Sizes:[] Scale:0 VectorScale:0} CacheBytes:32768 NoParallel:false NoWavefront:false NoSeparate:false NoVector:false Original:false Space:{Mode:exact MaxPeel:0 Signed:false Cuts:[]}}: illegal schedule: a statement that accesses local1 is outside of its place
//   classes {S0}
//   band c0 permutable S0[k] -> [k]
//   
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/schedule-28754509617.c
// program: {"Seed":28754509617,"Arrays":[{"Name":"A","Type":"double","Dimensions":2},{"Name":"B","Type":"double","Dimensions":1},{"Name":"s","Type":"double","Dimensions":0},{"Name":"t","Type":"double","Dimensions":0}],"Body":[{"Loop":{"Iterator":"k","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":2,"Variable":"k"}],"Constant":0},"Right":{"Constant":0}}],"Step":1,"Body":[{"Assignment":{"Declare":"double","Target":{"Array":"local1"},"Operator":"=","Values":[{"Factor":"1"}]}}]}}]}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M)
{
#pragma scop
  for (int k = 0; 2 * k < 0; k++) {
    double local1 = 1;
  }
#pragma endscop
}
