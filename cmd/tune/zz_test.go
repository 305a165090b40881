package main
import ("testing";"os";"polytune/runner";"polytune/scop")
func TestZZ(t *testing.T){
 machine := runner.Machine{ Caches: []runner.Cache{{Level: 1, Kind: "Data", Size: 32 << 10}, {Level: 2, Kind: "Unified", Size: 1<<20},{Level: 3, Kind: "Unified", Size: 32<<20}}, Vector: runner.Vector{Set: "AVX512", Bits: 512, Registers: 32}, }
 for _, f := range []string{"p08_binomial","p19_sw","p31_locnorm"} {
 b,_ := os.ReadFile("/tmp/w/str/src/"+f+".c")
 x := targetOfText(t, string(b)); x.privatize=true
 e, err := x.expanded(scop.Room{Bytes: modelMemory, Sums: true}); if err!=nil {t.Fatal(err)}
 for _, q := range e.whole.Expansions { t.Log(q.Name, q.Spelled, q.Loops) }
 for _, q := range e.whole.Privates() { t.Log("private", q) }
 s, err := e.usesElementsSeldom(); t.Log("seldom", s, err, e.needsMoreMemory())
 o, err := sessionModel.options(machine); o.Run.Threads=2
 for _, y := range []*target{x,e} { c,_,err := y.concurrency(t.Context(), o); t.Log(c, err) }
 }
}
