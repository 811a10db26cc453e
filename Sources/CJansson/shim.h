// Functions for jansson's function-like macros, which Swift cannot import.
#ifndef CJANSSON_SHIM_H
#define CJANSSON_SHIM_H
#include <jansson.h>
#include <string.h>

static inline json_type cjansson_typeof(const json_t *json) { return json_typeof(json); }
static inline int cjansson_error_code(const json_error_t *error) { return (int)json_error_code(error); }

#endif
