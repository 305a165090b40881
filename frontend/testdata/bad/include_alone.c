double b[9];
void f(void)
{
#pragma scop
#include <iso646.h>
#pragma endscop
}
