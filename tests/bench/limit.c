/* The limit of any shim: finds the tool of its name on PATH past itself, as a static program, and becomes it. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **words) {
    (void)count;
    struct stat own, found;
    const char *path = getenv("PATH"), *slash = strrchr(words[0], '/'), *name = slash ? slash + 1 : words[0];
    if (stat("/proc/self/exe", &own) != 0)
        return 126;
    for (char file[PATH_MAX]; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        snprintf(file, sizeof file, "%.*s/%s", (int)strcspn(path, ":"), path, name);
        if (stat(file, &found) == 0 && (found.st_ino != own.st_ino || found.st_dev != own.st_dev))
            execv(file, words);
    }
    return 127;
}
