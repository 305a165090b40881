package device_test

import "testing"

// Where isl leaves out a loop of blocks that stay, since it runs once, one of them has its iteration:
// around an instance, around loops inside, and along two dimensions; and where all that runs in a
// loop has one iteration each.
func TestLoopsLeftOut(t *testing.T) {
	line := graphOf(t, "void f(int T, int n, double p[n], double q[n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) {\nfor (int i = 1; i < n; i++) p[i] = q[i - 1];\nq[0] = p[1];\nfor (int i = 1; i < n; i++) q[i] += p[i];\n}\n#pragma endscop\n}\n")
	passes(t, line, madeRecipe(t, line, "classes {S0 S1 S2}\nband c0 S0[t, i] -> [3t, i]; S1[t] -> [3t + 1, 0]; S2[t, i] -> [3t + 2, i]\n"+
		"tile c0.2 by 2\nresident c0.1\nblock c0.2t\nthread c0.2 by 2\nbarrier grid c0.1\n"))
	plane := graphOf(t, "void f(int T, int n, double p[n][n], double q[n][n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) {\nfor (int i = 1; i < n; i++) for (int j = 1; j < n; j++) p[i][j] = q[i - 1][j];\n"+
		"for (int i = 0; i < n; i++) q[i][1] = p[i][2];\nfor (int j = 0; j < n; j++) q[n - 1][j] = p[n - 2][j];\np[0][0] = q[1][1];\n}\n#pragma endscop\n}\n")
	passes(t, plane, madeRecipe(t, plane, "classes {S0 S1 S2 S3}\nband c0 S0[t, i, j] -> [4t]; S1[t, i] -> [4t + 1]; S2[t, j] -> [4t + 2]; S3[t] -> [4t + 3]\nband c0 permutable S0[t, i, j] -> [i, j]; S1[t, i] -> [i, 1]; S2[t, j] -> [n - 1, j]; S3[t] -> [0, 0]\n"+
		"tile c0.2 c0.3 by 2 3\nresident c0.1\nblock c0.2t c0.3t\nthread c0.2 c0.3 by 2 3\nbarrier grid c0.1\n"))
	ends := graphOf(t, "void f(int T, int n, double p[n], double r[n], double q[2]) {\n#pragma scop\nfor (int t = 0; t < T; t++) {\np[0] = q[0];\nr[n - 1] = q[1];\nfor (int i = 1; i < n - 1; i++) p[i] *= 2;\n}\n#pragma endscop\n}\n")
	passes(t, ends, madeRecipe(t, ends, "classes {S0 S1 S2}\nband c0 S0[t] -> [2t, 0]; S1[t] -> [2t, n - 1]; S2[t, i] -> [2t + 1, i]\n"+
		"tile c0.2 by 4\nresident c0.1\nblock c0.2t\nthread c0.2 by 2\nbarrier grid c0.1\n"))
}

// What is in one iteration of a loop of blocks is one block's, also where isl has it in several pieces:
// an instance behind a loop, an edge behind the sweep that it reads, and loops that begin elsewhere.
func TestPiecesOfBlocks(t *testing.T) {
	for _, c := range []struct{ source, recipe string }{
		{"for (int i = 0; i < n; i++) p[i] = 2 * q[i];\nq[n - 1] = p[n - 1];\n",
			"classes {S0 S1}\nband c0 S0[i] -> [i]; S1[] -> [n - 1]\nsplit c0 {S0} {S1}\ntile c0.1 by 2\nblock c0.1t\nthread c0.1 by 2\n"},
		{"for (int t = 0; t < T; t++) {\nfor (int i = 1; i < n - 1; i++) p[i] = p[i] + q[i];\np[n - 1] = 2 * p[n - 2];\n}\n",
			"classes {S0 S1}\nband c0 S0[t, i] -> [2t, i]; S1[t] -> [2t + 1, n - 1]\nhexagon c0.1 c0.2 by 1 3 slopes 1 1\nblock c0p0.2h\nthread c0p0.2 by 2\nbarrier c0p0.1\nblock c0p1.2h\nthread c0p1.2 by 2\nbarrier c0p1.1\n" +
				"copy p at c0p0.2h to shared\ncopy p at c0p1.2h to shared\n"},
		{"for (int i = 0; i < n; i++) p[i] = 2 * q[i];\nfor (int i = n - 3; i < 2 * n; i++) r[i] = 3 * p[i];\n",
			"classes {S0 S1}\nband c0 S0[i] -> [i]; S1[i] -> [i]\nsplit c0 {S0} {S1}\ntile c0.1 by 2\nblock c0.1t\nthread c0.1 by 1\n"},
	} {
		g := graphOf(t, "void f(int T, int n, double p[2 * n], double q[n], double r[2 * n]) {\n#pragma scop\n"+c.source+"#pragma endscop\n}\n")
		passes(t, g, madeRecipe(t, g, c.recipe))
	}
}
