double gärten[9]; /* ü */
#define ADD(x, y) (x) += \
	(y)
int n;
	void f(void)
{
	int k;
	for (int rep = 0; rep < 3; rep++)
	{
		double a[9] = {0};
#pragma omp flush
#line 77 "other.c"
		#pragma scop
		for (k = 0; k < n; k++) {
			/* k */ ADD(a[k], /* not k */ \
			  k /* k; */ ) ; // k;
			a[0] = a[k]
				+ 'k';
		}
		# pragma endscop
		n = a[3];
	}
}
/* no newline at the end */