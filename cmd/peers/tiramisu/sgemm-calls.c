    BUFFER(sizes, ((int[]){ NI, NJ, NK }), int, 32, 3);
    BUFFER(a, &alpha, float, 32, 1);
    BUFFER(b, &beta, float, 32, 1);
    BUFFER(left, A, float, 32, NI, NK);
    BUFFER(right, B, float, 32, NK, NJ);
    BUFFER(result, C, float, 32, NI, NJ);
    GENERATED(&sizes, &a, &b, &left, &right, &result);
