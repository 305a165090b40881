double b[9];
void f(int n)
{
    switch (n) {
    case 1:
#pragma scop
    case 2:
        for (int i = 0; i < 9; i++)
            b[i] = n;
#pragma endscop
    }
}
