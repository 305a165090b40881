package command

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

// deviceStencil are the rows of a stencil with two statements in one loop over time.
const (
	stencil1 = "classes {S0 S1}\nband c0 S0[t, i] -> [2t]; S1[t, i] -> [2t + 1]\nband c0 permutable S0[t, i] -> [i]; S1[t, i] -> [i]\n"
	stencil2 = "classes {S0 S1}\nband c0 S0[t, i, j] -> [2t]; S1[t, i, j] -> [2t + 1]\nband c0 permutable S0[t, i, j] -> [i, j]; S1[t, i, j] -> [i, j]\n"
	parts    = "classes {S0 S1}\nband c0 S0[t, i] -> [t]; S1[t, i] -> [t]\nsplit c0 {S0} {S1}\nband c0_0 S0[t, i] -> [i]\nband c0_1 S1[t, i] -> [i]\nkernel c0.1\nthread c0_0.2 by 32\nthread c0_1.2 by 32\n"
	product  = "classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k]\nsplit c0 {S0} {S1}\n"
)

// boxed is gemm with tiles, blocks and threads, before the copies in the device's memories.
const boxed = "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\ntile c0.1 c0.2 by 16 16\nblock c0.1t c0.2t\nthread c0.1 c0.2 by 16 16\nband c1 permutable S1[i, k, j] -> [i, j, k]\n" +
	"tile c1.1 c1.2 c1.3 by 32 32 8\nblock c1.1t c1.2t\nthread c1.1 c1.2 by 8 32\n"

// Kernels of which some references to an array have copies of their own: a product with the
// transposed, one in a triangle, and a step of an elimination.
const (
	ranks = "classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k]\nsplit c0 {S0} {S1}\ntile c0.1 c0.2 c0.3 by 32 32 16\n" +
		"block c0.1t c0.2t\nsink c0.1\nsink c0.2\nthread c0.1 c0.2 by 8 32\n"
	triangle = "classes {S0 S1}\nband c0 S0[i, j, k] -> [j]; S1[i, j] -> [j]\nband c0 S0[i, j, k] -> [i]; S1[i, j] -> [i]\nsplit c0 {S0} {S1}\nband c0_0 S0[i, j, k] -> [k]\nblock c0.1\n"
	step     = "classes {S0 S1 S2}\nband c0 permutable S0[i, j, k] -> [k]; S1[i, j] -> [j]; S2[i, j, k] -> [k]\nsplit c0 {S1} {S0 S2}\n" +
		"band c0_1 permutable S0[i, j, k] -> [i, j]; S2[i, j, k] -> [i, j]\nsplit c0_1 {S0} {S2}\ntile c0_1.2 c0_1.3 by 32 32\nblock c0_1.2t c0_1.3t\nthread c0_1.2 c0_1.3 by 8 32\n"
)

// parts2 is a resident kernel of two parts.
const parts2 = "classes {S0 S1}\nband c0 S0[t, i, j] -> [t]; S1[t, i, j] -> [t]\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[t, i, j] -> [i, j]\nband c0_1 permutable S1[t, i, j] -> [i, j]\n" +
	"resident c0.1\nblock c0_0.2 c0_0.3\nblock c0_1.2 c0_1.3\nbarrier grid after c0_0\nbarrier grid c0.1\n"

// electric is a resident kernel with an array that it reads alone.
const electric = "classes {S0 S1 S2 S3}\nband c0 S0[t, j] -> [2t]; S1[t, i, j] -> [2t]; S2[t, i, j] -> [2t]; S3[t, i, j] -> [2t + 1]\n" +
	"band c0 permutable S0[t, j] -> [0, j]; S1[t, i, j] -> [i, j]; S2[t, i, j] -> [i, j]; S3[t, i, j] -> [i, j]\n" +
	"tile c0.2 c0.3 by 8 32\nresident c0.1\nblock c0.2t c0.3t\nthread c0.2 c0.3 by 8 32\nbarrier grid c0.1\n"

// staying is a stencil in a resident kernel, before its barriers; kept is one whose blocks keep all
// that they write.
const (
	staying = stencil2 + "tile c0.2 c0.3 by 8 16\nresident c0.1\nblock c0.2t c0.3t\nthread c0.2 c0.3 by 4 16\n"
	kept    = staying + "barrier grid c0.1\ncopy A at c0.3t to resident\ncopy B at c0.3t to resident\n"
)

// Kernels, blocks, threads and barriers are proven, and refused with the loop and an example where
// they are wrong.
func TestDevice(t *testing.T) {
	for _, test := range []struct {
		name, kernel, recipe string
		refused              []string // words of the message; none for a legal recipe
	}{
		{"blocks and threads", "jacobi-2d", stencil2 + "tile c0.2 c0.3 by 16 32\nblock c0.2t c0.3t\nthread c0.2 c0.3 by 8 32\n", nil},
		{"one block with a barrier", "jacobi-1d", stencil1 + "kernel c0.1\nthread c0.2 by 64\nbarrier c0.1\n", nil},
		{"a kernel that is a node", "jacobi-1d", stencil1 + "kernel c0\nthread c0.2 by 64\nbarrier c0.1\n", nil},
		{"sums in one thread", "gemm", product + "tile c0.1 c0.2 by 16 16\nblock c0.1t c0.2t\nthread c0.1 c0.2 by 16 16\n", nil},
		{"a barrier behind a part", "jacobi-1d", parts + "barrier c0.1\nbarrier after c0_0\n", nil},
		{"no barrier behind a part", "jacobi-1d", parts + "barrier c0.1\n", []string{"illegal", "no barrier between them", "S0[t, i] -> S1[t' = t"}},
		{"a barrier behind a part alone", "jacobi-1d", parts + "barrier after c0_0\n", []string{"illegal", "no barrier between them", "S1[t, i] -> S0[t"}},
		{"no barrier", "jacobi-1d", stencil1 + "kernel c0.1\nthread c0.2 by 64\n", []string{"illegal", "no barrier between them", "for example in"}},
		{"blocks over time", "jacobi-1d", stencil1 + "block c0.1\nthread c0.2 by 64\n", []string{"illegal", `"block 0 c0.1" carries it`}},
		{"threads over time", "jacobi-1d", stencil1 + "kernel c0.1\nthread c0.1 by 64\n", []string{"illegal", "thread c0.1"}},
		{"threads without a kernel", "jacobi-1d", stencil1 + "thread c0.2 by 64\n", []string{"illegal", "in no kernel"}},
		{"a barrier among threads", "jacobi-2d", stencil2 + "kernel c0\nthread c0.2 by 8\nbarrier c0.3\n", []string{"illegal", "cannot all get there"}},
		{"kernels in kernels", "jacobi-1d", stencil1 + "kernel c0\nkernel c0.1\nthread c0.2 by 64\nbarrier c0.1\n", []string{"inside of another kernel"}},
		{"blocks in a kernel of one", "jacobi-1d", stencil1 + "kernel c0\nblock c0.2\n", []string{"illegal", "block 0 c0.2", "not right inside"}},
		{"blocks twice along x", "jacobi-2d", stencil2 + "block c0.2\nblock c0.3\n", []string{"illegal", "block 0 c0.3", "dimension"}},
		{"blocks around a loop around blocks", "gemm", product + "sink c0.2\nblock c0.1\nblock c0.2\n", []string{"illegal", "not right inside"}},
		{"threads twice along x", "jacobi-2d", stencil2 + "kernel c0\nbarrier c0.1\nthread c0.2 by 8\nthread c0.3 by 8\n", []string{"illegal", "thread 0 of 8 c0.3", "same dimension"}},
		{"threads of a loop with a barrier", "jacobi-1d", stencil1 + "kernel c0\nbarrier c0.2\nthread c0.2 by 8\n", []string{"illegal", "barrier c0.2", "cannot all get there"}},
		{"too many threads", "jacobi-2d", stencil2 + "block c0.1\nthread c0.2 c0.3 by 64 32\n", []string{"line 5", "1024"}},
		{"shared and private copies", "gemm", boxed + "copy A at c1.3t to shared\ncopy B at c1.3t to shared\ncopy C at c1.2t to private\nbarrier c1.3t\n", nil},
		{"a box for each block", "gemm", boxed + "copy C at c1.2t to shared\n", nil},
		{"a box that is loaded too early", "gemm", boxed + "copy A at c1.3t to shared\n", []string{"illegal", "barrier c1.3t", "copy A at c1.3t to shared"}},
		{"a barrier too far outside", "gemm", boxed + "copy A at c1.3t to shared\nbarrier c1.2t\n", []string{"illegal", "barrier c1.3t"}},
		{"a private copy of several threads", "gemm", boxed + "copy A at c1.3t to private\nbarrier c1.3t\n", []string{"illegal", "several threads of a block use the same elements of A"}},
		{"a shared copy among threads", "gemm", boxed + "copy A at c1.2 to shared\nbarrier c1.3t\n", []string{"illegal", "cannot all load the box"}},
		{"a copy in no kernel", "gemm", product + "copy A at c0.1 to shared\n", []string{"illegal", "in no kernel"}},
		{"a copy without extents", "gemm", boxed + "copy A at c1.2t to shared\n", []string{"illegal", "no box of constant extents"}},
		{"two copies", "gemm", boxed + "copy C at c1.2t to private\ncopy C at c1.3t to private\n", []string{"line 11", "copied at"}},
		{"constants that are written", "gemm", boxed + "copy C to constant\n", []string{"illegal", "constant"}},
		{"rows without padding", "gemm", boxed + "copy B at c1.3t to shared unpadded\nbarrier c1.3t\n", nil},
		{"registers without padding", "gemm", boxed + "copy C at c1.2t to private unpadded\n", []string{"line 10", "leave unpadded out"}},
		{"a processor's copy without padding", "gemm", boxed + "copy C at c1.2t unpadded\n", []string{"line 10", "leave unpadded out"}},
		{"an early store of sums", "gemm", boxed + "copy C at c1.2t to shared early\n", nil},
		{"an early store of what is read", "gemm", boxed + "copy A at c1.3t to shared early\nbarrier c1.3t\n", []string{"illegal", "stores nothing"}},
		{"an early store of registers", "gemm", boxed + "copy C at c1.2t to private early\n", []string{"line 10", "leave early out"}},
		{"a processor's early store", "gemm", boxed + "copy C at c1.2t early\n", []string{"line 10", "leave early out"}},
		{"no such memory", "gemm", boxed + "copy A at c1.3t to texture\n", []string{"line 10", "shared, resident, private and constant"}},
		{"a copy at no loop", "gemm", boxed + "copy A to shared\n", []string{"line 10"}},
		{"two groups of references", "syrk", ranks + "copy A of A[i][k] at c0.3t to shared\ncopy A of A[j][k] at c0.3t to shared\ncopy C at c0.2t to private\nbarrier c0.3t\n", nil},
		{"references that there are not", "syrk", ranks + "copy A of A[i][k] A[k][i] at c0.3t to shared\nbarrier c0.3t\n", []string{"illegal", "has the reference A[k][i]; there are A[i][k] A[j][k]"}},
		{"two copies of a reference", "syrk", ranks + "copy A of A[i][k] at c0.3t to shared\ncopy A of A[i][k] A[j][k] at c0.3t to shared\nbarrier c0.3t\n", []string{"line 10", "copied at"}},
		{"a reference twice", "syrk", ranks + "copy A at c0.3t to shared\ncopy A of A[j][k] at c0.3t to shared\nbarrier c0.3t\n", []string{"line 10", "copied at"}},
		{"some references to what is written", "trmm", triangle + "copy B of B[k][j] at c0.1 to shared\n", []string{"illegal", "other references to B touch the same elements", "B[i][j]"}},
		{"what is read beside what is written", "lu", step + "copy A of A[i][k] at c0_1.3t to shared\ncopy A of A[k][j] at c0_1.3t to shared\n", nil},
		{"what is written beside what is read", "lu", step + "copy A of A[i][j] at c0_1.3t to private\n", nil},
		{"references in constant memory", "syrk", ranks + "copy A of A[i][k] to constant\n", []string{"line 9", "leave of A[i][k] out"}},
		{"references of a processor's copy", "syrk", ranks + "copy A of A[i][k] at c0.3t\n", []string{"line 9", "leave of A[i][k] out"}},
		{"a loop twice", "jacobi-2d", stencil2 + "kernel c0\nthread c0.2 by 8\nblock c0.2 c0.3\n", []string{"line 6", "shared by threads of a block already"}},
		{"a resident kernel", "jacobi-2d", staying + "barrier grid c0.1\n", nil},
		{"blocks that do not wait", "jacobi-2d", staying, []string{"illegal", "different blocks run both", "no barrier of the grid", "for example in"}},
		{"blocks that wait each for itself", "jacobi-2d", staying + "barrier c0.1\n", []string{"illegal", "different blocks run both", "no barrier of the grid"}},
		{"a barrier of the grid in blocks", "jacobi-2d", staying + "barrier grid c0.3t\n", []string{"illegal", "barrier grid c0.3t", "cannot all get there"}},
		{"a barrier of the grid among threads", "jacobi-2d", staying + "barrier grid c0.2\n", []string{"line 8", "cannot wait for each other"}},
		{"a barrier of the grid in a kernel of one block", "jacobi-1d", stencil1 + "kernel c0.1\nthread c0.2 by 64\nbarrier grid c0.1\n", []string{"illegal", "which the command resident begins"}},
		{"a resident kernel without blocks", "jacobi-1d", stencil1 + "resident c0.1\nthread c0.2 by 64\nbarrier grid c0.1\n", []string{"illegal", "in no loop of blocks"}},
		{"blocks along other dimensions", "jacobi-2d", strings.Replace(parts2, "block c0_1.2 c0_1.3", "block c0_1.2", 1), []string{"illegal", "along different dimensions"}},
		{"blocks of parts", "jacobi-2d", parts2, nil},
		{"a part without a barrier", "jacobi-2d", strings.Replace(parts2, "barrier grid after c0_0\n", "", 1), []string{"illegal", "no barrier of the grid"}},
		{"resident blocks", "jacobi-1d", stencil1 + "block c0.2\nresident c0.2\n", []string{"line 5", "shared by blocks of a grid"}},
		{"a resident kernel in a kernel", "jacobi-1d", stencil1 + "kernel c0\nresident c0.1\nbarrier grid c0.1\n", []string{"illegal", "inside of another kernel"}},
		{"elements that stay", "jacobi-2d", kept, nil},
		{"elements of one array that stay", "jacobi-2d", staying + "barrier grid c0.1\ncopy A at c0.3t to resident\n", nil},
		{"elements that stay without a barrier", "jacobi-2d", strings.Replace(kept, "barrier grid c0.1\n", "", 1), []string{"illegal", "while other threads may still use", "no barrier between them"}},
		{"elements that stay with a barrier of the block", "jacobi-2d", strings.Replace(kept, "barrier grid", "barrier", 1), []string{"illegal", "no barrier of the grid"}},
		{"elements that stay while blocks do not", "gemm", boxed + "copy C at c1.2t to resident\n", []string{"illegal", "no kernel whose blocks stay"}},
		{"elements that nobody writes", "fdtd-2d", electric + "copy _fict_ at c0.3t to resident\n", []string{"illegal", "_fict_"}},
		{"elements that a part reads alone", "jacobi-2d", parts2 + "copy A at c0_0.3 to resident\n", []string{"illegal", "which the kernel does not write"}},
		{"elements that stay outside of blocks", "jacobi-2d", staying + "barrier grid c0.1\ncopy A at c0.1 to resident\n", []string{"illegal", "outside of the loops of blocks"}},
		{"references that stay", "jacobi-2d", staying + "barrier grid c0.1\ncopy A of A[i][j] at c0.3t to resident\n", []string{"line 9", "leave of A[i][j] out"}},
		{"elements that stay, in one part of two", "jacobi-2d", parts2 + "copy B at c0_0.3 to resident\n", []string{"illegal", "S1 uses B elsewhere in the kernel"}},
		{"shared boxes of blocks with several tiles", "jacobi-1d", stencil1 + "tile c0.2 by 8\nresident c0.1\nblock c0.2t\nthread c0.2 by 8\nbarrier grid c0.1\ncopy A at c0.2t to shared\n", []string{"illegal"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := kerneltest.Graph(t, "polybench/"+test.kernel)
			recipe, err := Parse(g.Model.Program, test.recipe)
			if err == nil {
				_, _, err = recipe.Prove(g)
			}
			if (err == nil) != (len(test.refused) == 0) {
				t.Fatalf("got %v", err)
			}
			for _, word := range test.refused {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q lacks %q", err, word)
				}
			}
		})
	}
}

// Of barriers, those are idle without which the proof holds; that of a loop whose iterations load a
// box anew is needed.
func TestIdleBarriers(t *testing.T) {
	const product = "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nblock c0.1\nthread c0.2 by 64\nband c1 permutable S1[i, k, j] -> [i, j, k]\n" +
		"tile c1.1 c1.2 c1.3 by 16 16 16\nblock c1.1t c1.2t\nthread c1.1 c1.2 by 16 16\n"
	for _, test := range []struct{ bench, recipe, want string }{
		{"jacobi-1d", stencil1 + "kernel c0.1\nthread c0.2 by 64\nbarrier c0.1\n", ""},
		{"jacobi-1d", parts + "barrier c0.1\nbarrier after c0_0\n", ""},
		{"jacobi-1d", parts + "barrier c0.1\nbarrier after c0_0\nbarrier after c0_1\n", "barrier c0.1"},
		{"jacobi-1d", stencil1 + "tile c0.2 by 64\nblock c0.2t\nthread c0.2 by 64\nbarrier c0.2t\n", "barrier c0.2t"},
		{"gemm", product + "copy A at c1.3t to shared\nbarrier c1.3t\n", ""},
		{"gemm", product + "barrier c1.3t\n", "barrier c1.3t"},
	} {
		g := kerneltest.Graph(t, "polybench/"+test.bench)
		parsed, err := Parse(g.Model.Program, test.recipe)
		if err != nil {
			t.Fatal(err)
		}
		_, proven, err := parsed.Prove(g)
		if err != nil {
			t.Fatal(err)
		}
		idle, err := g.IdleBarriers(proven)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range idle {
			got = append(got, b.String())
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: idle are %q and not %q", test.recipe, got, test.want)
		}
	}
}
