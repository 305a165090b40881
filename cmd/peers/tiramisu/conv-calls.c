    BUFFER(parameters, ((int[]){ N, 2, 16, 16, BATCH }), int, 32, 5);
    BUFFER(in, input, float, 32, BATCH, 16, N + 2, N + 2);
    BUFFER(filter, weight, float, 32, 16, 16, 3, 3);
    BUFFER(start, bias, float, 32, 16);
    BUFFER(out, output, float, 32, BATCH, 16, N, N);
    GENERATED(&parameters, &in, &filter, &start, &out);
