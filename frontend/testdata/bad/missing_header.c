#include "not_there.h"
double a[9];
void f(void)
{
#pragma scop
    a[0] = 1;
#pragma endscop
}
