/* Any bytes as a score file: an answer or a clean error. */
#include "columns.h"

#include "dedpul_evaluation.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Estimates stay in [0, 1], each within its range. */
static void check_range(const dedpul_range *range)
{
    if (!isnan(range->value) &&
        !(range->low >= 0 && range->low <= range->value && range->value <= range->high && range->high <= 1))
        abort();
}

static void evaluate(const dedpul_score_table *table, const dedpul_result *result)
{
    dedpul_evaluation *evaluation;
    if (dedpul_evaluate(result, &table->rows, table->label, table->truth, NULL, &evaluation, NULL) !=
        DEDPUL_OK)
        return;
    check_range(&evaluation->auc);
    check_range(&evaluation->average_precision);
    check_range(&evaluation->best_f1);
    check_range(&evaluation->threshold->precision);
    check_range(&evaluation->threshold->recall);
    check_range(&evaluation->threshold->f1);
    dedpul_evaluation_free(evaluation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const dedpul_columns choices[] = {
        {.label = "label", .score = "score"},
        {.label = "label", .score = "score", .weight = "weight"},
        {.label = "label", .score = "score", .positive = "yes"},
        {.label = "label", .score = "score", .truth = "truth"},
        {.label = "1", .score = "2", .header = "no", .id = "3"},
        {.label = "label", .score = "score", .weight = "w", .decimal = ","},
        {.label = "label", .score = "score", .score_scale = "percent"},
        {.label = "label", .score = "score", .score_scale = "logit"}};
    if (size == 0)
        return 0;
    /* The first byte chooses the columns, so that one corpus covers all ways of reading. */
    const dedpul_columns *columns = &choices[data[0] % (sizeof choices / sizeof *choices)];
    struct stream stream;
    dedpul_score_table *table;
    dedpul_error error;
    stream_open_memory(&stream, "fuzz", data + 1, size - 1);
    if (score_table_from_stream(&stream, columns, NULL, &table, &error) != DEDPUL_OK)
        return 0;
    for (size_t i = 0; i < table->rows.n; i++)
        if (!(table->rows.score[i] >= 0 && table->rows.score[i] <= 1) || table->label[i] > 1 ||
            (table->truth != NULL && table->truth[i] > DEDPUL_TRUTH_UNKNOWN))
            abort();
    dedpul_result *result;
    if (dedpul_estimate(&table->rows, table->label, NULL, &result, &error) == DEDPUL_OK) {
        if (!(result->alpha >= 0 && result->alpha <= 1) || !isfinite(result->mean_ratio))
            abort();
        evaluate(table, result);
        dedpul_result_free(result);
    }
    dedpul_score_table_free(table);
    return 0;
}
