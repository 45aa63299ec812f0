#include "layers.h"

#include "number.h"

#include <stdio.h>
#include <string.h>

static dedpul_status reject(const char *text, dedpul_error *error)
{
    char quoted[QUOTE_SIZE];
    return error_set(error, DEDPUL_INVALID_ARGUMENT,
                     "layers: %s is not a list of at most %d widths from 1 to 65536, such as 512,512, nor "
                     "'none' or 'auto'",
                     quote_text(quoted, text, strlen(text)), MOST_LAYERS - 1);
}

dedpul_status layers_read(const char *text, struct net_shape *shape, dedpul_error *error)
{
    shape->n_layers = 1;
    shape->width[1] = 1;
    if (strcmp(text, "none") == 0)
        return DEDPUL_OK;
    for (const char *at = strcmp(text, "auto") == 0 ? "512,512" : text;;) {
        const size_t length = strcspn(at, ",");
        char width_text[16];
        uint64_t width;
        if (shape->n_layers == MOST_LAYERS || length >= sizeof width_text)
            return reject(text, error);
        (void)snprintf(width_text, sizeof width_text, "%.*s", (int)length, at);
        if (!parse_whole(width_text, &width) || width < 1 || width > 65536)
            return reject(text, error);
        shape->width[shape->n_layers++] = (size_t)width;
        shape->width[shape->n_layers] = 1;
        if (at[length] == '\0')
            return DEDPUL_OK;
        at += length + 1;
    }
}
