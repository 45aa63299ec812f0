#include "command.h"

#include "interrupt.h"
#include "message.h"

#include <stdlib.h>
#include <string.h>

static int check_files(const struct command *command, const void *request)
{
    const struct invocation *call = request;
    struct files files = {.n_inputs = 0};
    for (size_t i = 0; i < command->line->n_files; i++)
        add_input(&files, call->file[i]);
    if (command->name_files != NULL)
        command->name_files(request, &files);
    if (!outputs_are_apart(&files))
        return EXIT_USAGE;
    return outputs_can_be_written(&files) ? EXIT_OK : EXIT_FAILED;
}

static int work(const struct command *command, void *request)
{
    if (command->catches_interrupts)
        interrupt_catch();
    else
        interrupt_tell();
    if (command->run(request))
        return EXIT_OK;
    return interrupt_signal() != 0 ? EXIT_SIGNAL + interrupt_signal() : EXIT_FAILED;
}

static int run_request(const struct command *command, void *request, int argc, char **argv)
{
    struct invocation *call = request;
    bool help;
    *call = (struct invocation){.command = command, .argc = argc, .argv = argv};
    if (command->init != NULL)
        command->init(request);
    int code = command_line_read(command->line, request, argc, argv, call->file, &help);
    if (code == EXIT_OK && help) {
        command->print_help();
        return EXIT_OK;
    }
    if (code == EXIT_OK && command->check != NULL)
        code = command->check(request);
    if (code == EXIT_OK)
        code = check_files(command, request);
    return code == EXIT_OK ? work(command, request) : code;
}

static int run_part(const struct command *command, int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0) {
        command->print_help();
        return EXIT_OK;
    }
    for (size_t i = 0; command->parts[i] != NULL; i++)
        if (strcmp(name, command->parts[i]->name) == 0)
            return command_run(command->parts[i], argc - 1, argv + 1);
    char names[128] = "";
    for (size_t i = 0; command->parts[i] != NULL; i++) {
        const size_t used = strlen(names);
        (void)snprintf(names + used, sizeof names - used, "%s'%s'", i > 0 ? ", " : "",
                       command->parts[i]->name);
    }
    complain("say which part of 'dedpul %s': %s; see 'dedpul %s --help'", command->name, names,
             command->name);
    return EXIT_USAGE;
}

int command_run(const struct command *command, int argc, char **argv)
{
    if (command->parts != NULL)
        return run_part(command, argc, argv);
    void *request = calloc(1, command->request_size);
    if (request == NULL) {
        complain("out of memory");
        return EXIT_FAILED;
    }
    const int code = run_request(command, request, argc, argv);
    free(request);
    return code;
}
