#include "forecast.h"

#include "clock.h"
#include "train.h"

#include <math.h>
#include <string.h>

/* Advice is worth reading if a fit takes long, and something else is much faster. */
static const double long_seconds = 10, much_faster = 3;
static const char faster_options[] = "--classifier gbdt --effort low";

/* ---- what is expected ---- */

/* The members of a training are shared out to the threads, each as a whole. */
static struct expected_time expect(const struct context *context, const struct planned_training *planned,
                                   const struct examples *examples)
{
    const struct classifier *classifier = planned->classifier;
    if (classifier->time == NULL)
        return (struct expected_time){.epoch = 0};
    const struct schedule schedule = classifier->schedule(examples, &planned->settings);
    const struct training_time time = classifier->time(examples, &planned->settings);
    const double members = schedule.partitions * planned->settings.folds;
    const double share = ceil(members / context->threads) / members;
    const double epochs = fmin(time.epochs, schedule.most);
    return (struct expected_time){share * time.epoch, share * (time.start + epochs * time.epoch)};
}

static void add(struct forecast *forecast, struct expected_time time)
{
    if (forecast->n < MOST_TRAININGS)
        forecast->training[forecast->n++] = time;
}

/* The classifiers of kinds are like that of labeled against unlabeled rows, but see labeled rows alone. */
static void expect_kinds(const struct context *context, const struct examples *all, size_t n,
                         const struct planned_training *planned, size_t n_kinds, struct forecast *forecast)
{
    struct examples labeled = *all;
    labeled.n = 0;
    for (size_t i = 0; i < all->n; i++)
        labeled.n += all->label[i] == 1;
    for (size_t k = 0; k < n_kind_scorers(n_kinds); k++)
        for (size_t i = 0; i < n; i++) {
            struct planned_training quick = planned[i];
            quick.settings.effort = EFFORT_LOW;
            add(forecast, expect(context, &quick, &labeled));
        }
}

static void expect_all(const struct context *context, const struct fit_rows *rows,
                       const struct fit_plan *plan, size_t n_kinds, bool is_whole, struct forecast *forecast)
{
    const struct examples examples = train_examples(rows);
    struct planned_training planned[MOST_PLANNED];
    const size_t n = train_plan_ntc(&examples, plan, planned);
    for (size_t i = 0; i < n; i++)
        add(forecast, expect(context, &planned[i], &examples));
    expect_kinds(context, &examples, plan->choice == CHOOSE_BEST ? 1 : n, planned, n_kinds, forecast);
    if (is_whole && estimator_trains(plan->estimate.method)) {
        const struct planned_training own = train_plan_method(&examples, plan);
        add(forecast, expect(context, &own, &examples));
    } else if (is_whole && plan->pn) {
        for (size_t i = 0; i < n; i++)
            add(forecast, forecast->training[i]);
    }
    if (plan->choice == CHOOSE_GIVEN)
        return;
    struct planned_training fast = {&classifier_gbdt, plan->training};
    fast.settings.effort = EFFORT_LOW;
    forecast->faster = expect(context, &fast, &examples);
}

/* ---- what is told ---- */

/* The seconds that the present training still takes, and a measure of the speed. */
static double left_of_training(struct forecast *forecast, const dedpul_progress *now, double time)
{
    const struct expected_time *expected = &forecast->training[forecast->at - 1];
    const double epochs = (double)now->likely - (double)now->step;
    if (now->left > 0 && epochs > 0 && expected->epoch > 0)
        forecast->speed = now->left / epochs / expected->epoch;
    if (now->left > 0)
        return now->left;
    /* It has just begun: what was measured before tells. */
    return fmax(forecast->speed * expected->all - (time - forecast->training_began), 0);
}

static double seconds_left(struct forecast *forecast, const dedpul_progress *now, double time)
{
    if (forecast->at > forecast->n)
        return 0;
    double left = left_of_training(forecast, now, time);
    for (size_t i = forecast->at; left > 0 && i < forecast->n; i++)
        left += forecast->speed * forecast->training[i].all;
    return left;
}

/* Advice is given once, with the first time that is told. */
static void advise(struct forecast *forecast, double time, dedpul_progress *all)
{
    const double total = time - forecast->began + all->left, faster = forecast->speed * forecast->faster.all;
    if (all->left <= 0 || forecast->is_advised)
        return;
    forecast->is_advised = true;
    if (faster > 0 && total >= long_seconds && total >= much_faster * faster) {
        all->faster = faster_options;
        all->faster_seconds = faster;
    }
}

/* A dedpul_progress_function. A training begins where the last one ended. */
static int tell(void *context, const dedpul_progress *now)
{
    struct forecast *forecast = context;
    const double time = clock_seconds();
    dedpul_progress all = *now;
    if (forecast->stage == NULL || strcmp(forecast->stage, now->stage) != 0 || now->step < forecast->step) {
        forecast->stage = now->stage;
        forecast->at++;
        forecast->training_began = forecast->last_told;
    }
    forecast->step = now->step;
    forecast->last_told = time;
    all.left = seconds_left(forecast, now, time);
    advise(forecast, time, &all);
    return forecast->progress(forecast->progress_context, &all);
}

void forecast_begin(struct context *context, const struct fit_rows *rows, const struct fit_plan *plan,
                    size_t n_kinds, bool is_whole, struct forecast *forecast)
{
    const double time = clock_seconds();
    *forecast = (struct forecast){.progress = context->progress,
                                  .progress_context = context->progress_context,
                                  .began = time,
                                  .last_told = time};
    if (forecast->progress == NULL)
        return;
    expect_all(context, rows, plan, n_kinds, is_whole, forecast);
    context->progress = tell;
    context->progress_context = forecast;
}
