/*
 * Estimates the share of positives from a file of scores, and posteriors for scores that come later.
 *
 *   cc estimate.c $(pkg-config --cflags --libs dedpul) -o estimate && ./estimate scores.csv
 */
#include <dedpul.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    dedpul_error error;
    dedpul_score_table *table = NULL;
    dedpul_result *result = NULL;
    int code = 1;

    if (argc != 2) {
        fprintf(stderr, "usage: %s SCORES.csv\n", argv[0]);
        return 2;
    }
    if (dedpul_score_table_read(argv[1], NULL, NULL, &table, &error) != DEDPUL_OK)
        goto cleanup;

    dedpul_options options;
    dedpul_options_init(&options);
    if (dedpul_estimate(&table->rows, table->label, &options, &result, &error) != DEDPUL_OK)
        goto cleanup;

    printf("share of positives: %.4f (%s)\n", result->alpha, dedpul_rule_name(result->rule));
    for (size_t i = 0; i < result->n_warnings; i++)
        printf("warning: %s\n", result->warnings[i].message);

    const double new_score[] = {0.1, 0.3, 0.5, 0.7};
    double posterior[4];
    if (dedpul_result_evaluate(result, 4, new_score, NULL, posterior, &error) != DEDPUL_OK)
        goto cleanup;
    for (size_t i = 0; i < 4; i++)
        printf("a row with score %.1f is positive with probability %.3f\n", new_score[i], posterior[i]);
    code = 0;

cleanup:
    if (code != 0)
        fprintf(stderr, "%s\n", error.message);
    dedpul_result_free(result);
    dedpul_score_table_free(table);
    return code;
}
