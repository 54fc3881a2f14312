/* lzo MODE FILE reads blocks from a file and works on each with liblzo2: the
   floor for whoever reads or writes GBX bodies.

   A block is two little-endian words, the sizes of its content raw and as
   stored, and the stored bytes. MODE is decompress (the stored bytes are
   packed), or fast or best, which compress (the stored bytes are raw).

   What it needs of the library is declared here, so that the library as users
   have it is enough, without its development files. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char *bytes;
int lzo1x_decompress_safe(const bytes in, size_t size, bytes out, size_t *got, void *work);
int lzo1x_1_compress(const bytes in, size_t size, bytes out, size_t *got, void *work);
int lzo1x_999_compress(const bytes in, size_t size, bytes out, size_t *got, void *work);
enum { workspace = 1 << 20 }; /* more than any of them takes */

static unsigned word(const unsigned char *p) { return p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24; }

int main(int argc, char **argv) {
	if (argc != 3) return 2;
	FILE *f = fopen(argv[2], "rb");
	if (!f) return 2;
	unsigned char head[8], *in = NULL, *out = NULL;
	void *work = malloc(workspace);
	int blocks = 0;
	while (fread(head, 1, 8, f) == 8) {
		unsigned raw = word(head), stored = word(head + 4);
		in = realloc(in, stored + 1);
		out = realloc(out, raw + raw / 16 + 67);
		if (!in || !out || fread(in, 1, stored, f) != stored) return 1;
		size_t n = raw;
		int r;
		if (!strcmp(argv[1], "decompress"))
			r = lzo1x_decompress_safe(in, stored, out, &n, NULL);
		else if (!strcmp(argv[1], "fast"))
			r = lzo1x_1_compress(in, stored, out, &n, work);
		else
			r = lzo1x_999_compress(in, stored, out, &n, work);
		if (r != 0) return 1;
		blocks++;
	}
	printf("done %d\n", blocks);
	return 0;
}
