#include "dedpul.h"

#define TEXT_OF(number) #number
#define VERSION(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *dedpul_version(void)
{
    return VERSION(DEDPUL_VERSION_MAJOR, DEDPUL_VERSION_MINOR, DEDPUL_VERSION_PATCH);
}
