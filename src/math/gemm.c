/*
 * Uses oneDNN, which makes its kernels for the processor it runs on. (Debian's OpenBLAS knows processors by
 * their model numbers and takes 4 times as long on one that is newer than itself.)
 */
#include "gemm.h"

#include "onednn_call.h"
#include "vectorized.h"

#include <math.h>
#include <oneapi/dnnl/dnnl.h>
#include <string.h>

static void multiply(char a_is, char b_is, size_t rows, size_t columns, size_t depth, const float *a,
                     size_t a_stride, const float *b, size_t b_stride, float *c)
{
    struct onednn_call call;
    onednn_begin(&call);
    const dnnl_status_t status =
        dnnl_sgemm(a_is, b_is, (dnnl_dim_t)rows, (dnnl_dim_t)columns, (dnnl_dim_t)depth, 1, a,
                   (dnnl_dim_t)a_stride, b, (dnnl_dim_t)b_stride, 0, c, (dnnl_dim_t)columns);
    onednn_end(&call);
    /* oneDNN fails only if memory runs out. NaN makes sure that the caller notices. */
    for (size_t i = 0; status != dnnl_success && i < rows * columns; i++)
        c[i] = NAN;
}

/*
 * If one matrix is as small as this, calling oneDNN costs more than the product itself. The loops below do it
 * instead; they run along the longer dimension of the small matrix.
 */
enum { SMALL = 256 };

static void transpose(size_t rows, size_t columns, const float *a, float *t)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            t[j * rows + i] = a[i * columns + j];
}

/* Sums in lanes that are added up at the end, so that the compiler can use vectors. */
static inline float dot(size_t n, const float *a, const float *b)
{
    enum { LANES = 8 };
    float lane[LANES] = {0}, sum = 0;
    const size_t even = n / LANES * LANES;
    for (size_t i = 0; i < even; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lane[k] += a[i + k] * b[i + k];
    for (size_t i = even; i < n; i++)
        sum += a[i] * b[i];
    for (size_t k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

/* c = a b */
VECTORIZED static void multiply_small(size_t rows, size_t columns, size_t depth, const float *a,
                                      const float *b, float *c)
{
    if (columns == 1) {
        for (size_t i = 0; i < rows; i++)
            c[i] = dot(depth, a + i * depth, b);
        return;
    }
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            c[i * columns + j] = a[i * depth] * b[j];
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 1; k < depth; k++)
            for (size_t j = 0; j < columns; j++)
                c[i * columns + j] += a[i * depth + k] * b[k * columns + j];
}

/* c = a^T b, for rows of b that are at least as long as those of a */
VECTORIZED static void multiply_small_tn(size_t rows, size_t columns, size_t depth, const float *a,
                                         const float *b, float *c)
{
    memset(c, 0, rows * columns * sizeof *c);
    for (size_t k = 0; k < depth; k++)
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++)
                c[i * columns + j] += a[k * rows + i] * b[k * columns + j];
}

void multiply_nt(size_t rows, size_t columns, size_t depth, const float *a, const float *b, float *c)
{
    float t[SMALL];
    if (columns * depth > SMALL) {
        multiply('N', 'T', rows, columns, depth, a, depth, b, depth, c);
    } else {
        transpose(columns, depth, b, t);
        multiply_small(rows, columns, depth, a, t, c);
    }
}

void multiply_tn(size_t rows, size_t columns, size_t depth, const float *a, const float *b, float *c)
{
    float t[SMALL];
    if (rows * columns > SMALL) {
        multiply('T', 'N', rows, columns, depth, a, rows, b, columns, c);
    } else if (columns >= rows) {
        multiply_small_tn(rows, columns, depth, a, b, c);
    } else {
        multiply_small_tn(columns, rows, depth, b, a, t);
        transpose(columns, rows, t, c);
    }
}

void multiply_nn(size_t rows, size_t columns, size_t depth, const float *a, const float *b, float *c)
{
    if (columns * depth > SMALL)
        multiply('N', 'N', rows, columns, depth, a, depth, b, columns, c);
    else
        multiply_small(rows, columns, depth, a, b, c);
}
