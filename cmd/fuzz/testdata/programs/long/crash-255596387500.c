// Fails at the stage crash:
//   exit status 2
//   panic: runtime error: invalid memory address or nil pointer dereference
//   [signal SIGSEGV: segmentation violation code=0x1 addr=0x50 pc=0x78e830]
//   
// Repeat: go run ./cmd/fuzz cmd/fuzz/testdata/programs/crash-255596387500.c
// program: {"Seed":255596387500,"Arrays":[{"Name":"A","Type":"double","Dimensions":1},{"Name":"B","Type":"double","Dimensions":1},{"Name":"C","Type":"double","Dimensions":3,"Parametric":true,"Global":true},{"Name":"s","Type":"double","Dimensions":0,"Temporary":true},{"Name":"t","Type":"double","Dimensions":0,"Temporary":true},{"Name":"T","Type":"double","Dimensions":1,"Temporary":true}],"Body":[{"Loop":{"Iterator":"i","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":0}}],"Step":1,"Body":[{"Loop":{"Iterator":"j","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":1}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"s"},"Operator":"+=","Values":[{"Factor":"0.003","Function":"fabs","Element":{"Array":"T","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0}]}},{"Factor":"0.003","Integer":{"Terms":[{"Factor":1,"Variable":"N"},{"Factor":-1,"Variable":"i"}],"Constant":0}}]}}]}},{"Assignment":{"Target":{"Array":"B","Subscripts":[{"Terms":[{"Factor":1,"Variable":"i"},{"Factor":1,"Variable":"i"}],"Constant":2}]},"Operator":"+=","Values":[{"Factor":"0.003","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Choice":{"Macro":"MIN","Condition":{"Left":{"Constant":0},"Right":{"Constant":0}},"Then":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Else":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}}}],"Constant":0}]}},{"Factor":"-0.002","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"N"}],"Constant":2}]}},{"Factor":"0.001","Element":{"Array":"s"}}]}}]}},{"Loop":{"Iterator":"i","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":1}}],"Step":1,"Body":[{"Loop":{"Iterator":"j","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":-2}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"s"},"Operator":"=","Values":[{"Factor":"0.125","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}]}},{"Factor":"-0.3","Element":{"Array":"B","Subscripts":[{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}]}},{"Factor":"0.5","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}]}},{"Factor":"0.125","Element":{"Array":"t"}}]}},{"Loop":{"Iterator":"k","Start":{"Constant":0},"Tests":[{"Operator":"\u003c","Left":{"Terms":[{"Factor":1,"Variable":"k"}],"Constant":0},"Right":{"Terms":[{"Factor":1,"Variable":"M"}],"Constant":1}}],"Step":1,"Body":[{"Assignment":{"Target":{"Array":"s"},"Operator":"+=","Values":[{"Factor":"0.001","Element":{"Array":"T","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":2}]}},{"Factor":"0.001","Element":{"Array":"A","Subscripts":[{"Terms":[{"Factor":1,"Quotient":{"Dividend":{"Terms":[{"Factor":1,"Variable":"k"}],"Constant":0},"Operator":"/","Divisor":2}}],"Constant":0}]}},{"Factor":"0.003","Element":{"Array":"T","Subscripts":[{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}]}}]}}]}},{"Assignment":{"Target":{"Array":"B","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"},{"Factor":1,"Variable":"i"}],"Constant":2}]},"Operator":"+=","Values":[{"Factor":"0.001","Function":"fabs","Element":{"Array":"T","Subscripts":[{"Terms":[{"Factor":1,"Variable":"j"}],"Constant":0}]}},{"Factor":"0.001","Integer":{"Terms":[{"Factor":1,"Variable":"i"}],"Constant":0}},{"Factor":"0.001","Element":{"Array":"s"}}]}}]}}]}}]}
#include <stddef.h>
#include <math.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int N, int M, double A[23], double B[45])
{
  double s = 3;
  double t = 3;
  double T[23] = {3};
#pragma scop
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < M + 1; j++) {
      s += 0.003 * fabs(T[j]) + 0.003 * (N - i);
    }
    B[i + i + 2] += 0.003 * A[MIN(i, i)] + -0.002 * A[N + 2] + 0.001 * s;
  }
  for (int i = 0; i < M + 1; ++i) {
    for (int j = 0; j < M - 2; j++) {
      s = 0.125 * A[i] + -0.3 * B[i] + 0.5 * A[i] + 0.125 * t;
      for (int k = 0; k < M + 1; ++k) {
        s += 0.001 * T[j + 2] + 0.001 * A[(k / 2)] + 0.003 * T[i];
      }
      B[j + i + 2] += 0.001 * fabs(T[j]) + 0.001 * i + 0.001 * s;
    }
  }
#pragma endscop
}
