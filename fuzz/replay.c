/* Runs a fuzz target on the files named, without a fuzzer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
    enum { MOST = 1 << 20 };
    uint8_t *data = malloc(MOST);
    if (data == NULL)
        return 1;
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            return 1;
        }
        const size_t size = fread(data, 1, MOST, file);
        (void)fclose(file);
        (void)LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    printf("%d passed, 0 failed\n", argc - 1);
    return argc > 1 ? 0 : 1;
}
