double a[9];
void f(void)
{
#pragma scop
#include <stddef.h>
    a[0] = 1;
#pragma endscop
}
