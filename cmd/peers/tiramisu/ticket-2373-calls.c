    BUFFER(out, output, uint, 8, N, N);
    GENERATED(&out);
