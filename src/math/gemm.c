/*
 * By oneDNN, whose kernels are made for the processor at hand. (Debian's OpenBLAS knows processors by their
 * model numbers and takes 4 times as long on one that is newer than itself.)
 */
#include "gemm.h"

#include <oneapi/dnnl/dnnl.h>

/* OpenMP's own functions; its header comes with some compilers only. */
int omp_get_max_threads(void);
void omp_set_num_threads(int threads);

/*
 * In the calling thread alone: work is shared out above, and so a result does not depend on how many threads
 * there are. The setting is the calling thread's own and is put back.
 */
static void multiply(char a_is, char b_is, size_t rows, size_t columns, size_t depth, const float *a,
                     size_t a_stride, const float *b, size_t b_stride, float *c)
{
    const int threads = omp_get_max_threads();
    if (threads != 1)
        omp_set_num_threads(1);
    (void)dnnl_sgemm(a_is, b_is, (dnnl_dim_t)rows, (dnnl_dim_t)columns, (dnnl_dim_t)depth, 1, a,
                     (dnnl_dim_t)a_stride, b, (dnnl_dim_t)b_stride, 0, c, (dnnl_dim_t)columns);
    if (threads != 1)
        omp_set_num_threads(threads);
}

void multiply_nt(size_t rows, size_t columns, size_t depth, const float *a, const float *b, float *c)
{
    multiply('N', 'T', rows, columns, depth, a, depth, b, depth, c);
}

void multiply_tn(size_t rows, size_t columns, size_t depth, const float *a, const float *b, float *c)
{
    multiply('T', 'N', rows, columns, depth, a, rows, b, columns, c);
}

void multiply_nn(size_t rows, size_t columns, size_t depth, const float *a, const float *b, float *c)
{
    multiply('N', 'N', rows, columns, depth, a, depth, b, columns, c);
}
