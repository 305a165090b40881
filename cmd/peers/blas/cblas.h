    enum { RowMajor = 101, NoTrans = 111, Trans = 112, Lower = 122, Unit = 132, Left = 141 };
    extern void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
    extern void cblas_sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
    extern void cblas_dsyrk(int, int, int, int, int, double, const double *, int, double, double *, int);
    extern void cblas_dsyr2k(int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
    extern void cblas_dtrmm(int, int, int, int, int, int, int, double, const double *, int, double *, int);
    extern void cblas_dsymm(int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
