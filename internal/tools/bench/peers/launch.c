/* launch REPORT PROGRAM ARGUMENT... runs a program and writes to the file
   REPORT what it took: wall clock and processor time in nanoseconds, peak
   memory in kilobytes, and how it ended.

   The kernel counts what a process held before it became another program, so
   a peak is never below that of who started it. This program is small. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long nanos(struct timeval t) { return t.tv_sec * 1000000000LL + t.tv_usec * 1000LL; }

int main(int argc, char **argv) {
	if (argc < 3) return 2;
	long long start = now();
	pid_t child = fork();
	if (child == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	int status;
	struct rusage used;
	if (child < 0 || wait4(child, &status, 0, &used) < 0) return 2;
	long long wall = now() - start;
	FILE *report = fopen(argv[1], "w");
	if (!report) return 2;
	fprintf(report, "%lld %lld %ld\n", wall, nanos(used.ru_utime) + nanos(used.ru_stime), used.ru_maxrss);
	if (fclose(report)) return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
