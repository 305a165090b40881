package space

import (
	"testing"

	"polytune/scop/depend"
)

// paperNests are the kernels of the SC'10 paper's Figure 6 that have no C
// source among the benchmarks yet, in the statement structure of PolyBench
// 1.0.
var paperNests = map[string][]loopNest{
	"adi": {
		"0 0 0 0 ; t i j ; 0<=t<M and 0<=i<N and 1<=j<N   ; u:X[i,j] r:X[i,j-1] r:A[i,j] r:B[i,j-1]",
		"0 0 0 1 ; t i j ; 0<=t<M and 0<=i<N and 1<=j<N   ; u:B[i,j] r:A[i,j] r:A[i,j] r:B[i,j-1]",
		"0 1 0   ; t i   ; 0<=t<M and 0<=i<N              ; u:X[i,N-1] r:B[i,N-1]",
		"0 2 0 0 ; t i j ; 0<=t<M and 0<=i<N and 0<=j<N-2 ; w:X[i,N-j-2] r:X[i,N-2-j] r:X[i,N-3-j] r:A[i,N-j-3] r:B[i,N-3-j]",
		"0 3 0 0 ; t i j ; 0<=t<M and 1<=i<N and 0<=j<N   ; u:X[i,j] r:X[i-1,j] r:A[i,j] r:B[i-1,j]",
		"0 3 0 1 ; t i j ; 0<=t<M and 1<=i<N and 0<=j<N   ; u:B[i,j] r:A[i,j] r:A[i,j] r:B[i-1,j]",
		"0 4 0   ; t j   ; 0<=t<M and 0<=j<N              ; u:X[N-1,j] r:B[N-1,j]",
		"0 5 0 0 ; t i j ; 0<=t<M and 0<=i<N-2 and 0<=j<N ; w:X[N-2-i,j] r:X[N-2-i,j] r:X[N-i-3,j] r:A[N-3-i,j] r:B[N-2-i,j]",
	},
	"correl": {
		"0 0 0     ; i j   ; 1<=i<=N and 1<=j<=M              ; u:data[i,j] r:mean[j]",
		"0 0 1     ; i j   ; 1<=i<=N and 1<=j<=M              ; u:data[i,j] r:float_n[] r:stddev[j]",
		"1 0       ; a     ; 1<=a<=M-1                        ; w:symmat[a,a]",
		"1 1 0     ; a b   ; 1<=a<=M-1 and a+1<=b<=M          ; w:symmat[a,b]",
		"1 1 1 0   ; a b i ; 1<=a<=M-1 and a+1<=b<=M and 1<=i<=N ; u:symmat[a,b] r:data[i,a] r:data[i,b]",
		"1 1 2     ; a b   ; 1<=a<=M-1 and a+1<=b<=M          ; w:symmat[b,a] r:symmat[a,b]",
	},
	"covar": {
		"0 0       ; j     ; 1<=j<=M                          ; w:mean[j]",
		"0 1 0     ; j i   ; 1<=j<=M and 1<=i<=N              ; u:mean[j] r:data[i,j]",
		"0 2       ; j     ; 1<=j<=M                          ; u:mean[j] r:float_n[]",
		"1 0 0     ; i j   ; 1<=i<=N and 1<=j<=M              ; u:data[i,j] r:mean[j]",
		"2 0 0     ; a b   ; 1<=a<=b<=M                       ; w:symmat[a,b]",
		"2 0 1 0   ; a b i ; 1<=a<=b<=M and 1<=i<=N           ; u:symmat[a,b] r:data[i,a] r:data[i,b]",
		"2 0 2     ; a b   ; 1<=a<=b<=M                       ; w:symmat[b,a] r:symmat[a,b]",
	},
	"gramschmidt": {
		"0 0       ; k     ; 0<=k<N                           ; w:nrm[]",
		"0 1 0     ; k i   ; 0<=k<N and 0<=i<M                ; u:nrm[] r:A[i,k] r:A[i,k]",
		"0 2       ; k     ; 0<=k<N                           ; w:R[k,k] r:nrm[]",
		"0 3 0     ; k i   ; 0<=k<N and 0<=i<M                ; w:Q[i,k] r:A[i,k] r:R[k,k]",
		"0 4 0     ; k j   ; 0<=k<j<N                         ; w:R[k,j]",
		"0 4 1 0   ; k j i ; 0<=k<j<N and 0<=i<M              ; u:R[k,j] r:Q[i,k] r:A[i,j]",
		"0 4 2 0   ; k j i ; 0<=k<j<N and 0<=i<M              ; w:A[i,j] r:A[i,j] r:Q[i,k] r:R[k,j]",
	},
	"ludcmp": {
		"0         ;       ;                                  ; w:b[0]",
		"1 0 0     ; i j   ; 0<=i<N and i<j<=N                ; w:w[] r:a[j,i]",
		"1 0 1 0   ; i j k ; 0<=i<N and i<j<=N and 0<=k<i     ; u:w[] r:a[j,k] r:a[k,i]",
		"1 0 2     ; i j   ; 0<=i<N and i<j<=N                ; w:a[j,i] r:w[] r:a[i,i]",
		"1 1 0     ; i j   ; 0<=i<N and i<j<=N                ; w:w[] r:a[i+1,j]",
		"1 1 1 0   ; i j k ; 0<=i<N and i<j<=N and 0<=k<=i    ; u:w[] r:a[i+1,k] r:a[k,j]",
		"1 1 2     ; i j   ; 0<=i<N and i<j<=N                ; w:a[i+1,j] r:w[]",
		"2         ;       ;                                  ; w:y[0] r:b[0]",
		"3 0       ; i     ; 1<=i<=N                          ; w:w[] r:b[i]",
		"3 1 0     ; i j   ; 1<=i<=N and 0<=j<i               ; u:w[] r:a[i,j] r:y[j]",
		"3 2       ; i     ; 1<=i<=N                          ; w:y[i] r:w[]",
		"4         ;       ;                                  ; w:x[N] r:y[N] r:a[N,N]",
		"5 0       ; i     ; 0<=i<N                           ; w:w[] r:y[N-1-i]",
		"5 1 0     ; i j   ; 0<=i<N and N-i<=j<=N             ; u:w[] r:a[N-1-i,j] r:x[j]",
		"5 2       ; i     ; 0<=i<N                           ; w:x[N-1-i] r:w[] r:a[N-1-i,N-1-i]",
	},
}

// The dependences and the partitions of these kernels are as many as the
// paper prints (mode sc10) and as brute force finds (mode exact).
func TestPaperNests(t *testing.T) {
	for _, test := range []struct {
		name                     string
		dependences, exact, sc10 int
	}{
		{"adi", 188, 1, 1},
		{"correl", 14, 240, 176},
		{"covar", 26, 192, 96},
		{"gramschmidt", 34, 2, 1},
		{"ludcmp", 188, 24, 20},
	} {
		graph := dependencesOf(t, paperNests[test.name])
		if got := len(graph.Dependences); got != test.dependences {
			t.Errorf("%s: %d dependences, want %d", test.name, got, test.dependences)
		}
		checkLegal(t, test.name, graph, Exact, test.exact)
		checkLegal(t, test.name, graph, SC10, test.sc10)
	}
}

// checkLegal lists the space of a graph and compares the number of
// partitions with the one wanted and with the one counted without listing.
func checkLegal(t *testing.T, name string, graph *depend.Graph, mode Mode, want int) []Partition {
	t.Helper()
	s, err := New(graph, Options{Mode: mode})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	list := collect(t, s.All())
	if len(list) != want {
		t.Errorf("%s, %s: %d partitions, want %d", name, mode, len(list), want)
	}
	count, ok, err := s.Count(1 << 20)
	if err != nil || !ok || count.Int64() != int64(len(list)) {
		t.Errorf("%s, %s: %d partitions listed, but %v counted (%v, %v)", name, mode, len(list), count, ok, err)
	}
	n := len(graph.Model.Statements)
	if statistics := s.Statistics(); statistics.DeadEnds > len(list)*n*n {
		t.Errorf("%s, %s: too many dead ends: %+v", name, mode, statistics)
	}
	fusibility, enumeration := s.Seconds()
	t.Logf("%s, %s: %d partitions; %+v; fusibility %.4f s, enumeration %.4f s", name, mode, len(list), s.Statistics(), fusibility, enumeration)
	return list
}
