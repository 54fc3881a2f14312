// A module of its own: the Parquet library that reads our files back is only
// wanted for this.
module pakbox/internal/lib/parquet/oracle

go 1.26.0

require (
	github.com/parquet-go/parquet-go v0.32.0
	pakbox v0.0.0
)

require (
	github.com/andybalholm/brotli v1.2.7 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/parquet-go/bitpack v1.0.0 // indirect
	github.com/parquet-go/jsonlite v1.0.0 // indirect
	github.com/pierrec/lz4/v4 v4.1.33 // indirect
	github.com/twpayne/go-geom v1.6.1 // indirect
	golang.org/x/sys v0.49.0 // indirect
	google.golang.org/protobuf v1.34.2 // indirect
)

replace pakbox => ../../../..
