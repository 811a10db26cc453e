#ifndef CPRESETS_H
#define CPRESETS_H

/* A file of Sources/OAuthCore/Provider/Presets: its name without .json, and its text, which ends with a null byte. */
typedef struct {
  const char *name;
  const char *text;
} cpreset;

/* All presets, sorted by name, and how many there are. */
const cpreset *cpresets_all(void);
int cpresets_count(void);

#endif
