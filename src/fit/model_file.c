#include "model_file.h"

#include "model_bytes.h"
#include "output_file.h"
#include "stream.h"

static dedpul_status write_bytes(struct context *context, const struct bytes *bytes, const char *path,
                                 struct output_file *file)
{
    TRY(output_file_open(file, path, context->error));
    (void)fwrite(bytes->data, 1, bytes->size, file->stream);
    TRY(output_file_close(file, context->error));
    return output_file_commit(file, context->error);
}

dedpul_status model_save(struct context *context, const struct model *model, const char *path)
{
    struct output_file file = OUTPUT_FILE_NONE;
    struct bytes bytes;
    bytes_init(&bytes, context);
    TRY(model_to_bytes(context, model, &bytes));
    const dedpul_status status = write_bytes(context, &bytes, path, &file);
    output_file_discard(&file);
    return status;
}

/*
 * Reads until there is more than the header says, or the file ends. So a file that is not a model is refused
 * at once, however large it is.
 */
static dedpul_status read_all(struct context *context, struct stream *stream, struct bytes *bytes)
{
    enum { PIECE = 1 << 16 };
    const char *begin;
    size_t n;
    uint64_t size;
    TRY(stream_peek(stream, &begin, &n, context->error));
    TRY(model_file_size(context, stream->name, n, (const unsigned char *)begin, &size));
    char *piece = context_allocate(context, PIECE, 1);
    if (piece == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t got = 1; got > 0 && bytes->size <= size;) {
        TRY(stream_read(stream, piece, PIECE, &got, context->error));
        bytes_put(bytes, got, piece);
        if (bytes->failed)
            return DEDPUL_NO_MEMORY;
    }
    return DEDPUL_OK;
}

dedpul_status model_load(struct context *context, const char *path, const struct loading *loading,
                         struct model *model)
{
    struct stream stream;
    struct bytes bytes;
    bytes_init(&bytes, context);
    TRY(stream_open(&stream, path, context->error));
    dedpul_status status = read_all(context, &stream, &bytes);
    if (status == DEDPUL_OK)
        status = model_from_bytes(context, stream.name, bytes.size, bytes.data, loading, model);
    stream_close(&stream);
    return status;
}
