/*
 * Estimates the share of positives from a table, and makes a model that scores rows that come later.
 *
 *   cc fit.c $(pkg-config --cflags --libs dedpul) -o fit
 *   ./fit table.csv table.model new.csv posteriors.csv
 */
#include <dedpul.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    dedpul_error error;
    dedpul_table *table = NULL;
    dedpul_model *model = NULL, *loaded = NULL;
    dedpul_result *result = NULL;
    dedpul_prediction *prediction = NULL;
    int code = 1;

    if (argc != 5) {
        fprintf(stderr, "usage: %s TABLE MODEL NEW POSTERIORS\n", argv[0]);
        return 2;
    }
    if (dedpul_table_read(argv[1], NULL, NULL, &table, &error) != DEDPUL_OK)
        goto cleanup;

    dedpul_options options;
    dedpul_options_init(&options);
    options.classifier = "gbdt";
    if (dedpul_fit(table, &options, &model, &result, NULL, &error) != DEDPUL_OK)
        goto cleanup;
    printf("share of positives: %.4f (%s)\n", result->alpha, dedpul_rule_name(result->rule));
    for (size_t i = 0; i < result->n_warnings; i++)
        printf("warning: %s\n", result->warnings[i].message);

    /* Later, perhaps elsewhere: */
    if (dedpul_model_save(model, argv[2], &error) != DEDPUL_OK ||
        dedpul_model_load(argv[2], NULL, NULL, &loaded, &error) != DEDPUL_OK ||
        dedpul_model_predict_file(loaded, argv[3], NULL, argv[4], &prediction, &error) != DEDPUL_OK)
        goto cleanup;
    printf("%zu new rows, mean posterior %.4f\n", prediction->rows, prediction->mean_posterior);
    for (size_t i = 0; i < prediction->n_drifted; i++)
        printf("column %s is not as in the fit\n", prediction->drifted[i]->column);
    code = 0;

cleanup:
    if (code != 0)
        fprintf(stderr, "%s\n", error.message);
    dedpul_prediction_free(prediction);
    dedpul_model_free(loaded);
    dedpul_result_free(result);
    dedpul_model_free(model);
    dedpul_table_free(table);
    return code;
}
