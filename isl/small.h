/* What the test of small.c asks for. */
#ifndef POLYTUNE_ISL_SMALL_H
#define POLYTUNE_ISL_SMALL_H

/* Whether an operation, from 0 on, gives the same as GMP's own for result "r", which it may read,
 * and operands "a" and "b", in decimal; -1 where there is no such operation. */
int agrees_with_gmp(int operation, const char *r, const char *a, const char *b);

#endif
