/* Parts of help texts. */
#include "message.h"
#include "option_list.h"

#include <string.h>

/* Prints text, broken into lines that begin after `indent` columns; from this column on, and to that one. */
static int print_wrapped(const char *text, int indent, int column)
{
    const int width = 96;
    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > width) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            (void)putchar(' ');
            column++;
        }
        printf("%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    return column;
}

static void print_option(const struct command_option *option)
{
    const int indent = 32;
    int used = printf("  --%s", option->name);
    if (option->letter != 0)
        used += printf(", -%c", option->letter);
    used += optional_choices(option) != NULL ? printf(" [%s]", optional_choices(option))
                                             : printf(" %s", option->value != NULL ? option->value : "");
    if (used >= indent)
        (void)putchar('\n');
    printf("%*s", used < indent ? indent - used : indent, "");
    const int column = print_wrapped(option->help, indent, indent);
    if (option->default_value != NULL) {
        char standard[64];
        (void)snprintf(standard, sizeof standard, "[%s]", option->default_value);
        (void)print_wrapped(standard, indent, column);
    }
    (void)putchar('\n');
}

void print_options(const struct command_line *line)
{
    struct option_list list;
    if (!option_list_make(&list, line)) {
        complain("out of memory");
        return;
    }
    for (size_t i = 0; i < list.n; i++)
        print_option(&list.option[i]);
    option_list_free(&list);
}

void print_table_formats(void)
{
    (void)puts("FILE is delimited text with a header line (comma, semicolon or tab), a NumPy file\n"
               "(.npy), libsvm text, or images in the format of MNIST (IDX) or CIFAR-10 (binary). It may\n"
               "be gzipped; - is standard input. Columns without names (--no-header, and all formats but\n"
               "delimited text) are called 1, 2, ...; the label of libsvm and CIFAR-10 is called label.\n");
}

void print_classifiers(void)
{
    (void)puts("\nClassifiers:");
    for (size_t i = 0; i < dedpul_classifier_count(); i++)
        printf("  %-13s %s\n", dedpul_classifier_name(i), dedpul_classifier_summary(i));
}

void print_methods_and_densities(bool has_table)
{
    (void)puts("\nMethods:");
    for (size_t i = 0; i < dedpul_method_count(); i++)
        if (has_table || !dedpul_method_needs_table(i))
            printf("  %-13s %s\n", dedpul_method_name(i), dedpul_method_summary(i));
    (void)puts("\nDensities:");
    for (size_t i = 0; i < dedpul_density_count(); i++)
        printf("  %-13s %s\n", dedpul_density_name(i), dedpul_density_summary(i));
}
