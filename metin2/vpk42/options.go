package vpk42

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"pakbox/archive"
	"pakbox/metin2/internal/packname"
)

// WriteOptions say how [Write] makes an archive. The zero value makes what [Format.Create]
// makes without settings: an archive of version 1, the specification's, compressed with LZ4
// at level 3, and not encrypted.
type WriteOptions struct {
	archive.Options           // Passphrase is called if Encrypt is set
	Version         int       // 1 or 2; 0 means 1
	Algorithm       Algorithm // version 1 allows only None and LZ4; None at level 0 means LZ4 at level 3, unless Store is set
	Level           int       // 0 stores, 1 to 12 compress
	Store           bool      // do not compress, whatever the level
	Mangle          bool      // write mangled StoredNames
	Author          string    // 64 bytes at most
	Comment         string    // 128 bytes at most
	Encrypt         bool      //
	Created         time.Time // zero means now
	Random          io.Reader // source of the salt, the nonces of the entries and the nonce of the table; nil means crypto/rand
}

const (
	defaultLevel = 3
	maxLevel     = 12
)

// header checks the options and makes a header of them, without the table and the salt.
func (o *WriteOptions) header() (Header, error) {
	version := o.Version
	if version == 0 {
		version = 1
	}
	algorithm, level := o.Algorithm, o.Level
	switch {
	case o.Store:
		algorithm = None
	case algorithm == None && level == 0:
		algorithm, level = LZ4, defaultLevel
	}
	bad := func(name string, value any, want string) (Header, error) {
		return Header{}, &archive.ParamError{Name: name, Value: fmt.Sprint(value), Want: want}
	}
	switch {
	case version != 1 && version != 2:
		return bad(paramVersion, version, "1 or 2")
	case o.Algorithm > Brotli:
		return bad(paramAlgorithm, o.Algorithm, "lz4, zstd, brotli or none")
	case version == 1 && o.Algorithm > LZ4:
		return bad(paramAlgorithm, o.Algorithm, "lz4 or none, which are all that version 1 has; version 2 has more")
	case o.Level < 0 || o.Level > maxLevel:
		return bad(paramLevel, o.Level, "0 to 12, or fast")
	case len(o.Author) > authorSize || strings.ContainsRune(o.Author, 0):
		return bad(paramAuthor, o.Author, "text of at most 64 bytes")
	case len(o.Comment) > commentSize || strings.ContainsRune(o.Comment, 0):
		return bad(paramComment, o.Comment, "text of at most 128 bytes")
	}
	h := Header{
		Version:              uint16(version),
		IsEncrypted:          o.Encrypt,
		CompressionLevel:     int32(level),
		CompressionAlgorithm: algorithm,
		FileNamesMangled:     o.Mangle,
		Author:               o.Author,
		Comment:              o.Comment,
	}
	if version == 1 && algorithm == None {
		h.CompressionLevel = 0 // version 1 has no other way to say that data is uncompressed
	}
	created := o.Created
	if created.IsZero() {
		created = time.Now()
	}
	h.CreatedAtUtcTicks = ticksOf(created)
	return h, nil
}

func (o *WriteOptions) random() io.Reader {
	if o.Random != nil {
		return o.Random
	}
	return rand.Reader
}

// Names of the settings of Create.
const (
	paramVersion   = "vpk-version"
	paramAlgorithm = "algorithm"
	paramLevel     = "level"
	paramEncrypt   = "encrypt"
	paramMangle    = "mangle"
	paramAuthor    = "author"
	paramComment   = "comment"
)

// Params are the settings that Create understands.
func (Format) Params() []archive.Param {
	return []archive.Param{
		{Name: paramVersion, Usage: "format version: 1, the specification's, or 2, which game clients read", Default: "1",
			// Users who chose no version should know that clients read another.
			Unset: "this is version 1, the specification's; if the archive is for today's 42pak clients, make it with --" + paramVersion + " 2, or let the line '" + paramVersion + " = 2' in the configuration file choose it always"},
		{Name: paramAlgorithm, Usage: "compression: lz4 or none; with version 2 also zstd or brotli; an lz4 entry is one block, which takes about 1.1 times its size in memory to make", Default: "lz4"},
		{Name: paramLevel, Usage: "compression level: 0 (store) to 12 (smallest), or fast", Default: strconv.Itoa(defaultLevel)},
		{Name: paramEncrypt, Usage: "encrypt with a passphrase", Default: "false", Bool: true},
		{Name: paramMangle, Usage: "store mangled names beside the real ones, as 42pak does", Default: "false", Bool: true},
		{Name: paramAuthor, Usage: "author, up to 64 bytes"},
		{Name: paramComment, Usage: "comment, up to 128 bytes"},
		packname.RootParam,
	}
}

// Create writes items into a new archive. Unlike [Write] it takes its settings as text.
func (f Format) Create(ctx context.Context, stage *archive.Stage, items []archive.Item, opts archive.CreateOptions) error {
	o, err := f.writeOptions(opts)
	if err != nil {
		return err
	}
	file, err := stage.File()
	if err != nil {
		return err
	}
	return Write(ctx, file, items, o)
}

func (f Format) writeOptions(opts archive.CreateOptions) (WriteOptions, error) {
	params := f.Params()
	o := WriteOptions{
		Options: opts.Options,
		Author:  opts.Param(params, paramAuthor),
		Comment: opts.Param(params, paramComment),
	}
	bad := func(name, want string) error {
		return &archive.ParamError{Name: name, Value: opts.Param(params, name), Want: want}
	}
	var err error
	if o.Version, err = strconv.Atoi(opts.Param(params, paramVersion)); err != nil || o.Version < 1 || o.Version > 2 {
		return o, bad(paramVersion, "1 or 2")
	}
	if o.Encrypt, err = opts.Switch(params, paramEncrypt); err != nil {
		return o, err
	}
	if o.Mangle, err = opts.Switch(params, paramMangle); err != nil {
		return o, err
	}
	if o.Algorithm, err = ParseAlgorithm(opts.Param(params, paramAlgorithm)); err != nil {
		return o, bad(paramAlgorithm, "lz4, zstd, brotli or none")
	}
	o.Store = o.Algorithm == None
	level := opts.Param(params, paramLevel)
	if level == "fast" {
		o.Level = 1
	} else if o.Level, err = strconv.Atoi(level); err != nil || o.Level < 0 || o.Level > maxLevel {
		return o, bad(paramLevel, "0 to 12, or fast")
	}
	return o, nil
}

// maxPacked is the largest content that can be compressed or encrypted. The size in front
// of a compressed stream is a signed 32-bit number, and 42pak holds every file in a .NET
// array.
const maxPacked = math.MaxInt32
