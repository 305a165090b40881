#define PASTE(a, b) a ## b
#define HIDDEN PASTE(k, k)
void hide(int n, int a[n], int kk)
{
#pragma scop
	for (int kk = 0; kk < n; kk++)
		a[kk] = HIDDEN;
#pragma endscop
}
