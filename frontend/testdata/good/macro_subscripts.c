/* Iterators in subscripts inside a macro's arguments are subscripts too, if nothing but numbers is added to them. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
/* A constant may be pasted together, as INT64_MAX is. */
#define LONG(c) c ## L
#define LOWEST LONG(0)
void dilate(int n, unsigned char in[n][n], unsigned char out[n][n], int rank[n])
{
#pragma scop
	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < n - 1; j++) {
			out[i][j] = MAX(in[i - 1][j + 2 - 1], MAX(in[i][ j ], in[i + 1][j]));
			rank[i] = MAX(rank[i], MAX(LOWEST, in[i][(j)]) + in[i][2 * j - j]);
		}
#pragma endscop
}
