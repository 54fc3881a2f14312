// A module of its own, so that the translation of zlib and what it needs are
// no dependencies of pakbox. Run it here: go test ./...
module pakbox/codec/zinflate/oracle

go 1.26.0

require (
	modernc.org/libc v1.77.1
	modernc.org/z v1.7.3
	pakbox v0.0.0
)

require (
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/ncruces/go-strftime v1.0.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	golang.org/x/sys v0.49.0 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)

replace pakbox => ../../..
