    dnn_convolution(BATCH, 16, 16, N, N, &output[0][0][0][0], &input[0][0][0][0], &weight[0][0][0][0], bias, 0);
