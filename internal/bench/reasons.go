package main

// reasons say why pakbox is behind a peer, by row, or by row and peer. A row
// that is behind and not here is told as unexplained.
var reasons = map[string]string{
	"gbx/info / gbx-ts rc12, header": "info decodes the whole file to count blocks, items and checkpoints; the peer reads the header",

	"vpk42/pack-lz4-1":       hashed,
	"vpk42/pack-lz4-9":       hashed,
	"vpk42/pack-zstd-3":      hashed,
	"vpk42/pack-brotli-5":    goBrotli + "; " + hashed,
	"vpk42/extract-lz4-1":    hashed,
	"vpk42/extract-lz4-9":    hashed,
	"vpk42/extract-zstd-3":   hashed,
	"vpk42/extract-brotli-5": goBrotli + "; " + hashed,
	"vpk42/verify-lz4-1":     hashed,
	"vpk42/verify-lz4-9":     hashed,
	"vpk42/verify-zstd-3":    "Zstandard in Go, entry by entry, against the C library on one stream; " + hashed,
	"vpk42/verify-brotli-5":  goBrotli + "; " + hashed,

	"zip/list":           table,
	"eterpack/list":      table,
	"nadeopak3/list":     table + "; the table is decrypted, and Blowfish's own tables take 5 ms to make",
	"nadeopak18/list":    table + "; the table is decrypted, and Blowfish's own tables take 5 ms to make",
	"nadeopak3/pack":     "the content is encrypted too",
	"nadeopak3/extract":  "the content is decrypted too, block after block because each depends on the one before",
	"nadeopak18/extract": "the pack's checksums are checked too",
	"nadeopak3/verify":   "the content is decrypted too, block after block because each depends on the one before",
	"nadeopak18/verify":  "the pack's checksums are checked too",

	"simutrans/list":  "makeobj reads the heads of nodes and skips the rest; pakbox reads all to check it, and a Go program takes 5 ms to start",
	"simutrans/dump":  "makeobj reads the heads of nodes and skips the rest; pakbox reads all to check it, and a Go program takes 5 ms to start",
	"simutrans/merge": "makeobj copies as it reads and leaves half a file behind if one is broken; pakbox reads and checks all first",
}

// Reasons that several rows share.
const (
	hashed   = "42pak has BLAKE3 of every file, 15 to 20 % of the time; starting takes 5 ms, and the peer works on one stream without entries"
	goBrotli = "Brotli in Go, without the vector code of the C library"
	table    = "names are checked and sorted into folders first; starting takes 5 ms of it"
)

// memoryReasons say why memory grows with an input, by what the command does.
var memoryReasons = map[string]string{
	"pack":        "the table of an archive stands behind its entries or before them, so that it is kept until the end",
	"extract":     "the table of the archive",
	"ls":          "the table of the archive",
	"pack-one":    "an entry is one block or one checksum in these formats, and is coded in memory",
	"extract-one": "an entry is one compressed block, which is unpacked in memory",
	"extract-gbx": "the nodes of a GBX alter its decryption, so that it is decoded whole",
	"verify-one":  "a GBX is decoded whole, with its values",
	"compile":     "up to 32 MB of pictures are kept, and what was made from what",
}
