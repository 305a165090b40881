package main

// seconds are a published pair: the time that finding the transformation took,
// and all from C to C.
type seconds struct{ transform, total float64 }

// kernel is a row of the page: a benchmark of tune's, and what is published
// about it, by the names that the publications use.
type kernel struct {
	name string
	// pluto and plutoPlus are from Table III of the Pluto+ paper (TOPLAS 38(3),
	// 2016; an Intel Xeon E5-2680), nil where it has no such row. Its PolyBench
	// is an older version than ours.
	pluto, plutoPlus *seconds
	// current is what the Pluto compiler's master of 2026 takes, tiled and
	// parallel, on two cores of a Zen 5; nil where it has not been measured.
	current *seconds
}

// kernels are the rows of the page.
var kernels = []kernel{
	{"polybench/correlation", &seconds{0.470, 0.726}, &seconds{0.214, 0.719}, &seconds{0.086, 0.32}},
	{"polybench/covariance", &seconds{0.043, 0.188}, &seconds{0.027, 0.227}, &seconds{0.020, 0.18}},
	{"polybench/2mm", &seconds{0.023, 0.246}, &seconds{0.033, 0.282}, &seconds{0.010, 0.18}},
	{"polybench/3mm", &seconds{0.070, 0.423}, &seconds{0.126, 0.536}, &seconds{0.023, 0.23}},
	{"polybench/atax", &seconds{0.004, 0.041}, &seconds{0.004, 0.061}, &seconds{0.003, 0.039}},
	{"polybench/bicg", &seconds{0.002, 0.112}, &seconds{0.003, 0.151}, nil},
	{"polybench/cholesky", &seconds{0.048, 0.328}, &seconds{0.025, 0.366}, &seconds{0.023, 0.13}},
	{"polybench/doitgen", &seconds{0.018, 0.178}, &seconds{0.017, 0.198}, &seconds{0.024, 0.18}},
	{"polybench/gemm", &seconds{0.005, 0.066}, &seconds{0.006, 0.095}, &seconds{0.003, 0.046}},
	{"polybench/gemver", &seconds{0.010, 0.070}, &seconds{0.007, 0.097}, nil},
	{"polybench/gesummv", &seconds{0.004, 0.039}, &seconds{0.004, 0.064}, nil},
	{"polybench/mvt", &seconds{0.002, 0.026}, &seconds{0.003, 0.036}, nil},
	{"polybench/symm", &seconds{0.052, 0.564}, &seconds{0.039, 0.281}, &seconds{0.015, 0.049}},
	{"polybench/syr2k", &seconds{0.009, 0.100}, &seconds{0.010, 0.147}, nil},
	{"polybench/syrk", &seconds{0.004, 0.066}, &seconds{0.005, 0.095}, nil},
	{"polybench/trisolv", &seconds{0.004, 0.055}, &seconds{0.004, 0.081}, nil},
	{"polybench/durbin", &seconds{0.045, 0.101}, &seconds{0.029, 0.105}, nil},
	{"polybench/gramschmidt", &seconds{0.098, 0.250}, &seconds{0.069, 0.260}, &seconds{0.036, 0.13}},
	{"polybench/lu", &seconds{0.006, 0.117}, &seconds{0.005, 0.164}, &seconds{0.025, 0.17}},
	{"polybench/ludcmp", &seconds{0.973, 1.209}, &seconds{0.263, 0.569}, &seconds{0.96, 1.08}},
	{"polybench/floyd-warshall", &seconds{0.009, 0.298}, &seconds{0.012, 0.400}, nil},
	{"polybench/fdtd-2d", &seconds{0.043, 2.424}, &seconds{0.057, 2.527}, &seconds{0.025, 1.12}},
	{"polybench/jacobi-1d", &seconds{0.006, 0.130}, &seconds{0.007, 0.13}, nil},
	{"polybench/jacobi-2d", &seconds{0.015, 0.705}, &seconds{0.026, 0.751}, &seconds{0.011, 0.82}},
	{"polybench/seidel-2d", &seconds{0.011, 0.249}, &seconds{0.009, 0.260}, &seconds{0.006, 0.13}},
	{"polybench/adi", nil, nil, &seconds{0.87, 1.16}},
	{"polybench/deriche", nil, nil, &seconds{3.7, 3.9}},
	{"polybench/heat-3d", nil, nil, &seconds{0.033, 4.3}},
	{"polybench/nussinov", nil, nil, &seconds{0.035, 0.16}},
	{"polybench/trmm", nil, nil, nil},
	{"plutoplus/heat-1dp", &seconds{0.033, 0.337}, &seconds{0.016, 0.648}, nil},
	{"plutoplus/heat-2dp", &seconds{0.190, 2.430}, &seconds{0.078, 9.282}, nil},
	{"plutoplus/heat-3dp", &seconds{2.585, 10.77}, &seconds{0.810, 16.86}, nil},
	{"plutoplus/lbm-ldc-d2q9", &seconds{0.701, 3.535}, &seconds{0.330, 8.152}, nil},
	{"plutoplus/lbm-ldc-d3q27", &seconds{8.726, 35.52}, &seconds{2.704, 56.36}, nil},
	{"plutoplus/lbm-ldc-d2q9-mrt", &seconds{0.321, 5.180}, &seconds{0.177, 9.068}, nil},
	{"plutoplus/lbm-fpc-d2q9", &seconds{0.324, 5.282}, &seconds{0.175, 9.017}, nil},
	{"plutoplus/lbm-poiseuille-d2q9", &seconds{0.323, 5.226}, &seconds{0.176, 9.001}, nil},
	{"plutoplus/swim", &seconds{1.489, 16.74}, &seconds{14.46, 47.35}, nil},
}
