typedef struct { double x, y; } point;
double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        double t[3] = {[1] = 2};
        point p = {1, i};
        char text[] = "abc";
        int many[70] = {
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35 };
        t[0] += i;
        p.x += t[0];
        text[i % 3] = 0;
        many[i % 70] += 1;
        a[i] = t[0] + p.x + text[0] + many[1];
    }
#pragma endscop
}
