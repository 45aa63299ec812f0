/* The library's version as text. */
#ifndef DEDPUL_BASE_VERSION_H
#define DEDPUL_BASE_VERSION_H

#include "dedpul_common.h"

#define VERSION_TEXT_(number) #number
#define VERSION_TEXT(major, minor, patch) \
    VERSION_TEXT_(major) "." VERSION_TEXT_(minor) "." VERSION_TEXT_(patch)
#define LIBRARY_VERSION VERSION_TEXT(DEDPUL_VERSION_MAJOR, DEDPUL_VERSION_MINOR, DEDPUL_VERSION_PATCH)

#endif
