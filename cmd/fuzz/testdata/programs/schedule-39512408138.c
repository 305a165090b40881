// Fails at the stage schedule:
//   structure 0-0-0, options {Model:pluto+ CoefficientBound:1023 Tile:{None:false Sizes:[] Scale:0 VectorScale:0 Height:8} CacheBytes:32768 SecondCacheBytes:0 ThirdCacheBytes:0 Run:{Parameters:map[] Threads:0} Vector:{Bits:256 Registers:16} Registers:{Rows:12 Vectors:2 Off:false} NoPack:true Lanes:0 NoAhead:false Interleave:6 NoPhases:false Collapse:true Sharing:2 Marking:0 Stores:1 Overlap:1 NoContract:true NoDelay:true Grain:8 NoParallel:false NoWavefront:false Degrees:0 Diamond:0 SecondLevel:false NoSeparate:false NoVector:false Fusion:none Order:stride Original:false Space:{Mode:exact MaxPeel:0 Signed:false Cuts:[]}}: recipe line 13: vectorize c0_2.3: illegal schedule: WAW dependence of S1 on S1 (references 0 and 0): the loop marked "vector c0_2.3" carries it; for example in [N, M] -> { S1[i, j, k] -> S1[i' = i, j' = j, k'] : 0 <= i <= -2 + N and 0 <= j <= M - i and 0 <= k <= 1 + j and k' > k and 0 <= k' <= 1 + j and 256*floor((-24i + 6j - k)/256) <= -24i + 6j - k' }; the loop needs reduction(max:A)
//   reassociate
//   cut S0[i, j] -> [j + N - M + 3]
//   
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/schedule-39512408138.c
// program: {"Seed":39512408138,"Arrays":[{"Name":"A","Type":"int","Dimensions":2,"Parametric":true},{"Name":"B","Type":"int","Dimensions":1,"Parametric":true},{"Name":"C","Type":"int","Dimensions":2},{"Name":"s","Type":"int","Dimensions":0},{"Name":"t","Type":"int","Dimensions":0}],"Body":[{"Loop":{"Iterator":"i","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"N"}],"Constant":-1}}],"Step":1,"Body":[{"Loop":{"Iterator":"j","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"},{"Factor":-1,"Variable":"i"}],"Constant":1}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"B","Subscripts":[{"Constant":1}]},"Operator":"+=","Values":[{"Factor":"3","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},{"Terms":[{"Factor":-1,"Variable":"j"},{"Factor":2,"Variable":"j"}],"Constant":-3}]}}]}},{"Loop":{"Iterator":"k","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"k"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":2}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"A","Subscripts":[{"Constant":1},{"Constant":2}]},"Operator":"max","Values":[{"Factor":"-1","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":1},{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}]}},{"Factor":"3","Element":{"Array":"C","Subscripts":[{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},{"Terms":[{"Factor":1,"Variable":"k"}],"Constant":0}]}}]}}]}}]}}]}}],"IteratorsOutside":true,"Reassociate":true}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static int larger(int a, int b) { return a > b ? a : b; }
void kernel(int N, int M, int A[N + 3][M + 6], int B[N + 3], int C[32][33])
{
  int i, j, k;
#pragma scop
  for (i = 0; i < N - 1; ++i) {
    for (j = 0; j < M - i + 1; j++) {
      B[1] += (3 * A[i][-j + 2 * j]) % 101;
      for (k = 0; k < j + 2; ++k) {
        A[1][5] = larger(A[1][5], (-1 * A[i + 1][i + 3] + 3 * C[i][k]) % 101);
      }
    }
  }
#pragma endscop
}
