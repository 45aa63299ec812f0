#include "label_tree.h"

#include "weighted.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { FEWEST_ROWS = 10, SHRINKAGE = 10 };
static const double delta = 0.2; /* a bound fails with at most this probability */

/* The rows of a tree are in two parts: the tree grows on one, and the other gives the bounds. */
enum { GROW, ESTIMATE, N_PARTS };

struct count {
    double all, labeled;
};

/* In either part, the rows of a node are row[begin] .. row[end - 1]. */
struct node {
    size_t begin[N_PARTS], end[N_PARTS];
    size_t parent, attribute; /* the split that made the node */
    double bound;             /* by the rows that the tree grows on */
    bool is_open;
};

struct tree {
    const struct tree_rows *rows;
    double variance; /* c (1 - c) (1 - delta) / delta: of a label, over the odds that a bound fails */
    double best;
    uint32_t *row[N_PARTS]; /* by node */
    uint32_t *scratch;
    unsigned char *is_used; /* (width) attributes above a node */
    struct node *node;      /* node 0 is the root */
    size_t n_nodes;
};

static void count_row(const struct tree_rows *rows, size_t row, struct count *count)
{
    const double weight = weight_at(rows->weight, row);
    count->all += weight;
    count->labeled += row < rows->n_labeled ? weight : 0;
}

/* Chebyshev's lower bound on the share of labeled rows, one-sided. */
static double lower_bound(const struct tree *tree, struct count count)
{
    return count.labeled / count.all - sqrt(tree->variance / count.all);
}

static void update_best(struct tree *tree, struct count count)
{
    if (count.all >= FEWEST_ROWS)
        tree->best = fmax(tree->best, lower_bound(tree, count));
}

/* Counts the rows of a node by the value of an attribute. */
static void count_values(const struct tree *tree, const struct node *node, int part, size_t attribute,
                         struct count *count /* (n_values) */)
{
    const struct tree_rows *rows = tree->rows;
    const unsigned char *code = rows->code + attribute * rows->n;
    memset(count, 0, rows->n_values * sizeof *count);
    for (size_t i = node->begin[part]; i < node->end[part]; i++) {
        const size_t row = tree->row[part][i];
        count_row(rows, row, &count[code[row]]);
    }
}

/*
 * Returns the attribute that has a child with the highest shrunken share of labeled rows; width if no
 * attribute is left.
 */
static size_t choose_attribute(const struct tree *tree, size_t index)
{
    const struct tree_rows *rows = tree->rows;
    size_t best = rows->width;
    double best_score = -1;
    memset(tree->is_used, 0, rows->width);
    for (size_t above = index; above != 0; above = tree->node[above].parent)
        tree->is_used[tree->node[above].attribute] = 1;
    for (size_t a = 0; a < rows->width; a++) {
        struct count count[MOST_VALUES];
        if (tree->is_used[a])
            continue;
        count_values(tree, &tree->node[index], GROW, a, count);
        for (unsigned v = 0; v < rows->n_values; v++) {
            const double score = count[v].labeled / (count[v].all + SHRINKAGE);
            if (score > best_score) {
                best_score = score;
                best = a;
            }
        }
    }
    return best;
}

/* Sorts the rows of a node by an attribute (a counting sort); end[v] is where the rows of value v end. */
static void divide(const struct tree *tree, const struct node *node, int part, size_t attribute,
                   size_t *end /* (n_values) */)
{
    const unsigned n_values = tree->rows->n_values;
    const unsigned char *code = tree->rows->code + attribute * tree->rows->n;
    uint32_t *row = tree->row[part];
    const size_t begin = node->begin[part], n = node->end[part] - begin;
    memset(end, 0, n_values * sizeof *end);
    for (size_t i = 0; i < n; i++)
        end[code[row[begin + i]]]++;
    for (size_t v = 0, sum = begin; v < n_values; v++) {
        const size_t here = end[v];
        end[v] = sum;
        sum += here;
    }
    if (n > 0)
        memcpy(tree->scratch, row + begin, n * sizeof *row);
    for (size_t i = 0; i < n; i++)
        row[end[code[tree->scratch[i]]]++] = tree->scratch[i];
}

/*
 * Tells whether a node is worth splitting: a child made of all its labeled rows and nothing else could have a
 * bound above the best, and the node is large enough and mixed.
 */
static bool is_promising(const struct tree *tree, struct count count)
{
    const double gap = 1 - tree->best;
    return count.labeled * gap * gap > tree->variance && count.all > FEWEST_ROWS && count.labeled < count.all;
}

static void split(struct tree *tree, size_t index)
{
    const unsigned n_values = tree->rows->n_values;
    const struct node node = tree->node[index];
    struct count count[N_PARTS][MOST_VALUES];
    size_t end[N_PARTS][MOST_VALUES];
    const size_t attribute = choose_attribute(tree, index);
    if (attribute == tree->rows->width)
        return;
    for (int part = 0; part < N_PARTS; part++) {
        count_values(tree, &node, part, attribute, count[part]);
        divide(tree, &node, part, attribute, end[part]);
    }
    for (unsigned v = 0; v < n_values; v++)
        update_best(tree, count[ESTIMATE][v]);
    struct node child = {.parent = index, .attribute = attribute, .is_open = true};
    for (int part = 0; part < N_PARTS; part++)
        child.end[part] = node.begin[part];
    for (unsigned v = 0; v < n_values; v++) {
        for (int part = 0; part < N_PARTS; part++) {
            child.begin[part] = child.end[part];
            child.end[part] = end[part][v];
        }
        child.bound = lower_bound(tree, count[GROW][v]);
        if (is_promising(tree, count[GROW][v]))
            tree->node[tree->n_nodes++] = child;
    }
}

/* Returns the open node with the highest bound, n_nodes if there is none. */
static size_t next_node(const struct tree *tree)
{
    size_t best = tree->n_nodes;
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (tree->node[i].is_open && (best == tree->n_nodes || tree->node[i].bound > tree->node[best].bound))
            best = i;
    return best;
}

static dedpul_status tree_allocate(struct context *context, size_t most_splits, struct tree *tree)
{
    const struct tree_rows *rows = tree->rows;
    for (int part = 0; part < N_PARTS; part++) {
        tree->row[part] = context_allocate(context, rows->n, sizeof *tree->row[part]);
        if (tree->row[part] == NULL)
            return DEDPUL_NO_MEMORY;
    }
    tree->scratch = context_allocate(context, rows->n, sizeof *tree->scratch);
    tree->is_used = context_allocate(context, rows->width, 1);
    tree->node = context_allocate(context, 1 + most_splits * rows->n_values, sizeof *tree->node);
    return tree->scratch != NULL && tree->is_used != NULL && tree->node != NULL ? DEDPUL_OK
                                                                                : DEDPUL_NO_MEMORY;
}

dedpul_status label_tree_bound(struct context *context, const struct tree_rows *rows, unsigned fold,
                               size_t most_splits, double c, double *bound)
{
    struct block *mark = context_mark(context);
    struct tree tree = {.rows = rows, .variance = c * (1 - c) * (1 - delta) / delta};
    struct node root = {.is_open = true};
    struct count rest = {0, 0};
    TRY(tree_allocate(context, most_splits, &tree));
    for (size_t i = 0; i < rows->n; i++) {
        const int part = rows->fold[i] == fold ? GROW : ESTIMATE;
        tree.row[part][root.end[part]++] = (uint32_t)i;
        if (part == ESTIMATE)
            count_row(rows, i, &rest);
    }
    update_best(&tree, rest);
    tree.node[tree.n_nodes++] = root;
    for (size_t splits = 0; splits < most_splits; splits++) {
        const size_t next = next_node(&tree);
        if (next == tree.n_nodes)
            break;
        tree.node[next].is_open = false;
        split(&tree, next);
    }
    *bound = tree.best;
    context_release(context, mark);
    return DEDPUL_OK;
}
