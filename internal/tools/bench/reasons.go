package main

// reasons say why pakbox is behind a peer, by row, or by row and peer: what
// perf showed of its processor time, and strace of what it waits for. A row that
// is behind and not here is told as unexplained.
var reasons = map[string]string{
	"command/info":             "tried: fewer collections of memory, which took a sixth of it",
	"command/map-blocks":       "tried: blocks listed one at a time from their packed lists, fewer collections of memory",
	"command/verify":           "a file is decoded, coded anew and compared; tried: the outline of a file taken while it is coded, fewer collections of memory",
	"command/dump-json":        "every value is looked at by a visitor and written as text; tried: streaming, numbers without strconv, fewer collections",
	"command/get":              "reading the file is half of it, starting a quarter; the search passes over what cannot hold the name",
	"command/set":              "the file is read three times, as found, to change it and as saved, which is 40 % of it, and coded three times to compare these, 35 %; compressing is 10 %, starting 12 %; tried: walks that end behind what was changed, packed lists passed over, one coding for saving and comparing, which more than halved it",
	"command/replay-info":      runsInflated + ", half of what this row takes; tried: counting inputs without listing them, states of buttons that stay not looked at again",
	"command/replay-check":     runsInflated + "; samples are a fifth of it, inputs a tenth, the map inside, of which some games leave out the header, 8 %; tried: samples decoded one at a time, without their rotations",
	"command/replay-telemetry": runsInflated + "; tried: numbers without strconv, samples decoded one at a time",

	"gbx/info / gbx-ts rc12, header": "info decodes the whole file to count blocks, items and checkpoints; the peer reads the header",

	"vpk42/pack-lz4-1":       "the archive is on the disk when the command ends, for which fsync waits 4 to 7 ms, and the peer does not; BLAKE3 of every file is 16 % of the processor time, LZ4 27 %, starting 10 %",
	"vpk42/pack-lz4-9":       "the LZ4 encoder is 90 % of the processor time, BLAKE3 of every file 2 %",
	"vpk42/pack-zstd-3":      "Zstandard in Go is 59 % of the processor time, BLAKE3 of every file 8 %, starting 5 %",
	"vpk42/pack-brotli-5":    "the Brotli encoder in Go is 88 % of the processor time, BLAKE3 of every file 2 %",
	"vpk42/extract-zstd-3":   "BLAKE3 of every file is 17 % of the processor time, Zstandard 23 %, writing the files 42 %, starting 8 %",
	"vpk42/extract-brotli-5": "the Brotli decoder in Go is 67 % of the processor time, and takes about twice that of the C library; BLAKE3 of every file is 5 %",
	"vpk42/verify-lz4-1":     verifyLZ4,
	"vpk42/verify-lz4-9":     verifyLZ4,
	"vpk42/verify-zstd-3":    "BLAKE3 of every file is 32 % of the processor time, Zstandard 37 %, starting 21 %; the peer hashes nothing but XXH64",
	"vpk42/verify-brotli-5":  "the Brotli decoder in Go is 84 % of the processor time, and takes about twice that of the C library; BLAKE3 of every file is 7 %",

	"index/beam":                      "pakbox writes SQLite, so that it can go on when it was stopped, and makes the Parquet files of that: SQLite is half of its processor time, Parquet 13 %, reading the files and making rows 19 %; the pipeline keeps rows in memory, and three quarters of its time are Beam's own, 0.06 ms a file",
	"index/make / pakbox info --json": "index tells more: the maps inside replays, which info does not read, are 28 % of the processor time, unpacking and hashing embedded items 17 %, SQLite 18 %, the blocks of maps, counted and hashed, 12 %, BLAKE3 of files and bodies 9 % (the first holds parts of the others); unpacking and decoding the files and these maps is 21 %; info of the files and of these maps alone takes 1.5 times what info of the files does; tried: files decoded where they lie in memory, blocks gone through without what only some have, embedded items inflated by zinflate, rows of many files inserted by one statement, written as they come, a quarter less in all",

	"index/again": "the allowed is 1.5 times find and 100 ms: beside looking at every file, as find does, it reads what it knows of them from SQLite",

	"zip/list":          "reading the table is 33 % of the processor time, the local headers with the offsets 23 %, starting 25 %",
	"eterpack/list":     "the index is compressed and encrypted, and the size of an entry stands before its content: decoding the index is 30 % of the processor time, these headers 12 %, starting 30 %; tried: the headers read a page at a time, plain names without the code page, which took a third",
	"nadeopak18/list":   "the table is encrypted and hashed: decrypting is 18 % of the processor time, parsing 16 %, starting 22 %",
	"nadeopak3/pack":    "deflate is 65 % of the processor time, encryption 6 %",
	"nadeopak3/extract": decrypted,
	"nadeopak3/verify":  decrypted,

	"mount/read": "one file after another, each by four requests through the kernel, while extract takes two files at a time (half its speed is the aim); BLAKE3 of every file is 19 % of the mount's processor time, what the kernel asks, read and answered, 22 %, LZ4 7 %",
	"mount/list": "ls sorts, which find does not: of a real folder it takes 1.4 times as long; the mount itself takes 0.3 µs a file",

	"simutrans/list":  simutransRead,
	"simutrans/dump":  simutransRead,
	"simutrans/merge": "reading the files is 43 % of the processor time, parsing them to check them 14 %, starting 20 %; the peer copies as it reads, and leaves half a file behind if one is broken",
}

// Reasons that several rows share.
const (
	runsInflated  = "the records of runs are compressed once more, with zlib, whose inflating alone is 4 floors, less than zlib in C takes"
	verifyLZ4     = "BLAKE3 of every file is 37 % of the processor time, LZ4 itself 25 %, starting 24 %; the peer hashes nothing but XXH32"
	decrypted     = "decrypting is 27 % of the processor time, page after page because each depends on the one before, inflating 51 %"
	simutransRead = "reading the files whole is 46 % of the processor time, parsing them 16 %, starting 25 %; the peer skips the bodies of nodes"
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
