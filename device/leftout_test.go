package device_test

import "testing"

// Where isl leaves out a loop of blocks that stay, since it runs once, one of them has its iteration:
// around an instance, around loops inside, and along two dimensions.
func TestLoopsLeftOut(t *testing.T) {
	line := graphOf(t, "void f(int T, int n, double p[n], double q[n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) {\nfor (int i = 1; i < n; i++) p[i] = q[i - 1];\nq[0] = p[1];\nfor (int i = 1; i < n; i++) q[i] += p[i];\n}\n#pragma endscop\n}\n")
	passes(t, line, madeRecipe(t, line, "classes {S0 S1 S2}\nband c0 S0[t, i] -> [3t, i]; S1[t] -> [3t + 1, 0]; S2[t, i] -> [3t + 2, i]\n"+
		"tile c0.2 by 2\nresident c0.1\nblock c0.2t\nthread c0.2 by 2\nbarrier grid c0.1\n"))
	plane := graphOf(t, "void f(int T, int n, double p[n][n], double q[n][n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) {\nfor (int i = 1; i < n; i++) for (int j = 1; j < n; j++) p[i][j] = q[i - 1][j];\n"+
		"for (int i = 0; i < n; i++) q[i][1] = p[i][2];\nfor (int j = 0; j < n; j++) q[n - 1][j] = p[n - 2][j];\np[0][0] = q[1][1];\n}\n#pragma endscop\n}\n")
	passes(t, plane, madeRecipe(t, plane, "classes {S0 S1 S2 S3}\nband c0 S0[t, i, j] -> [4t]; S1[t, i] -> [4t + 1]; S2[t, j] -> [4t + 2]; S3[t] -> [4t + 3]\nband c0 permutable S0[t, i, j] -> [i, j]; S1[t, i] -> [i, 1]; S2[t, j] -> [n - 1, j]; S3[t] -> [0, 0]\n"+
		"tile c0.2 c0.3 by 2 3\nresident c0.1\nblock c0.2t c0.3t\nthread c0.2 c0.3 by 2 3\nbarrier grid c0.1\n"))
}
