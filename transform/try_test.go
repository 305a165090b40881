package transform

import (
	"fmt"
	"testing"
	"time"

	"polytune/codegen"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
)

func mm2() *scop.Program {
	lo := func(names ...string) (l []scop.Loop) {
		for _, n := range names {
			l = append(l, scop.Loop{Iterator: n})
		}
		return
	}
	P := "[NI,NJ,NK,NL] -> "
	return &scop.Program{
		Name: "2mm", Parameters: []string{"NI", "NJ", "NK", "NL"}, Context: P + "{ : }",
		Arrays: []scop.Array{{Name: "C", Size: 8}, {Name: "A", Size: 8}, {Name: "B", Size: 8}, {Name: "D", Size: 8}, {Name: "E", Size: 8}},
		Statements: []scop.Statement{
			{Name: "S0", Source: "C[i][j] = 0;", Uses: []scop.Use{{2, 0}, {5, 1}}, Loops: lo("i", "j"), Position: []int{0, 0, 0}, Domain: P + "{ S0[i, j] : 0 <= i < NI and 0 <= j < NJ }",
				Accesses: []scop.Access{{Array: "C", Write: true, Relation: P + "{ S0[i, j] -> C[i, j] }"}}},
			{Name: "S1", Source: "C[i][j] += A[i][k]*B[k][j];", Uses: []scop.Use{{2, 0}, {5, 1}, {13, 0}, {16, 2}, {21, 2}, {24, 1}}, Loops: lo("i", "j", "k"), Position: []int{0, 0, 1, 0}, Domain: P + "{ S1[i, j, k] : 0 <= i <NI and 0 <= j < NJ and 0 <= k < NK }",
				Accesses: []scop.Access{{Array: "C", Read: true, Write: true, Relation: P + "{ S1[i, j, k] -> C[i, j] }"}, {Array: "A", Read: true, Relation: P + "{ S1[i, j, k] -> A[i, k] }"}, {Array: "B", Read: true, Relation: P + "{ S1[i, j, k] -> B[k, j] }"}}},
			{Name: "S2", Source: "E[i][j] = 0;", Uses: []scop.Use{{2, 0}, {5, 1}}, Loops: lo("i", "j"), Position: []int{1, 0, 0}, Domain: P + "{ S2[i, j] : 0 <= i < NI and 0 <= j < NL }",
				Accesses: []scop.Access{{Array: "E", Write: true, Relation: P + "{ S2[i, j] -> E[i, j] }"}}},
			{Name: "S3", Source: "E[i][j] += C[i][k]*D[k][j];", Uses: []scop.Use{{2, 0}, {5, 1}, {13, 0}, {16, 2}, {21, 2}, {24, 1}}, Loops: lo("i", "j", "k"), Position: []int{1, 0, 1, 0}, Domain: P + "{ S3[i, j, k] : 0 <= i < NI and 0 <= j < NL and 0 <= k < NJ }",
				Accesses: []scop.Access{{Array: "E", Read: true, Write: true, Relation: P + "{ S3[i, j, k] -> E[i, j] }"}, {Array: "C", Read: true, Relation: P + "{ S3[i, j, k] -> C[i, k] }"}, {Array: "D", Read: true, Relation: P + "{ S3[i, j, k] -> D[k, j] }"}}},
		},
	}
}

func TestTry(t *testing.T) {
	for _, f := range []space.Partition{{0, 1, 2, 3}, {0, 0, 1, 1}, {0, 0, 0, 0}} {
		c := isl.NewContext()
		defer c.Close()
		t0 := time.Now()
		m, err := mm2().Model(c)
		if err != nil {
			t.Fatal(err)
		}
		g, err := depend.Analyze(m)
		if err != nil {
			t.Fatal(err)
		}
		t1 := time.Now()
		r, err := Transform(g, f, Options{CacheBytes: 48 << 10})
		if err != nil {
			t.Fatal(err)
		}
		t2 := time.Now()
		fmt.Println(r.Text(m.Program))
		_, s, err := r.Prove(g)
		if err != nil {
			t.Fatal(err)
		}
		t3 := time.Now()
		code, err := codegen.Generate(m, s, codegen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(code)
		fmt.Println(len(g.Dependences), t1.Sub(t0), t2.Sub(t1), t3.Sub(t2), time.Since(t3))
	}
}
