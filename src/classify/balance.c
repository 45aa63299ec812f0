#include "balance.h"

#include "weighted.h"

static double weight_to_learn(const struct training *training, size_t member, size_t example)
{
    const struct examples *examples = training->examples;
    if (!member_learns_from(&training->member[member], example_row(examples, example)))
        return 0;
    return weight_at(examples->weight, example);
}

dedpul_status balance_member(struct context *context, const struct training *training, size_t member,
                             struct balance *balance)
{
    double total[2] = {0, 0};
    *balance = (struct balance){.n = 0};
    for (size_t i = 0; i < training->examples->n; i++) {
        const double weight = weight_to_learn(training, member, i);
        balance->n += weight > 0;
        total[training->examples->label[i]] += weight;
    }
    balance->total = total[0] + total[1];
    for (int label = 0; label < 2; label++) {
        if (!(total[label] > 0))
            return error_set(context->error, DEDPUL_INVALID_DATA,
                             "outside fold %u no row of class %d is left to learn from; use fewer folds",
                             training->member[member].held_out + 1, label);
        balance->factor[label] = balance->total / 2 / total[label];
    }
    return DEDPUL_OK;
}

double balanced_weight(const struct training *training, size_t member, const struct balance *balance,
                       size_t example)
{
    return balance->factor[training->examples->label[example]] * weight_to_learn(training, member, example);
}
