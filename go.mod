module pakbox

go 1.26.0

// Every dependency is permissive and pure Go. What each is for:
require (
	github.com/andybalholm/brotli v1.2.7 // VPK 2 stores Brotli streams; there is no other pure Go encoder
	github.com/fsnotify/fsnotify v1.10.1 // --watch: which files change
	github.com/go-fonts/dejavu v0.3.2 // letters of pictures that the Go typefaces lack
	github.com/hanwen/go-fuse/v2 v2.12.1 // pakbox mount: the kernel's protocol for file systems of programs
	github.com/itchyny/gojq v0.12.19 // the expressions of pakbox query
	github.com/klauspost/compress v1.20.3 // Zstandard in VPK 2; a faster deflate than the standard library's
	github.com/spf13/cobra v1.10.2 // commands, flags, completion, manual pages
	github.com/spf13/pflag v1.0.9 // cobra's flags
	github.com/zeebo/blake3 v0.2.4 // VPK and the index hash content with BLAKE3
	golang.org/x/crypto v0.58.0 // the reference that our Blowfish and XTEA are tested against
	golang.org/x/image v0.47.0 // fonts and pictures that the standard library lacks
	golang.org/x/net v0.62.0 // pakbox serve --webdav
	golang.org/x/sys v0.49.0 // swapping two folders in one step on Linux; the console of Windows
	golang.org/x/term v0.47.0 // prompts without echo, and whether this is a terminal
	golang.org/x/text v0.43.0 // code pages of old texts
	modernc.org/sqlite v1.60.1 // the index: SQLite translated to Go
)

// Tests only.
require (
	github.com/anchore/go-lzo v0.1.1 // a second LZO decoder to compare ours with
	github.com/rogpeppe/go-internal v1.16.0 // testscript: commands as a user types them
)

require github.com/modelcontextprotocol/go-sdk v1.8.0

require (
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/itchyny/timefmt-go v0.1.8 // indirect
	github.com/klauspost/cpuid/v2 v2.0.12 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/ncruces/go-strftime v1.0.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	modernc.org/libc v1.77.1 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)
