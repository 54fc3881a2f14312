package pak

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"path"
	"sync"
	"unicode/utf16"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
	"pakbox/nadeo/internal/crypt"
)

// Options say how to open a pack. The zero value is enough for packs that need no key.
type Options struct {
	Key        *Key       // the pack's key; nil if it is unknown
	Dictionary []byte     // the game's LZ4 dictionary; see [FindDictionary]
	Names      Names      // resolves hashed names
	Nodes      NodeWalker // used to read encrypted GBX entries
}

// Pack is an open pack. It is safe for concurrent use.
type Pack struct {
	Header
	Directory
	Options

	ra        io.ReaderAt
	size      int64
	headerAt  int64  // offset of the private header, or of its IV if it is encrypted
	headerIV  uint64 // IV of an encrypted header
	headerLen int64  // length of the private header's plaintext, without padding
	md5Holds  bool   // headerMD5 is right, as far as its coverage is known
	folders   []string
	paths     []string

	cipherOnce sync.Once
	cipher     *crypt.Cipher // cipher of the entries' data
	keyOnce    sync.Once
	keyWrong   bool // an entry has proved that the key is wrong

	metaOnce sync.Once
	meta     map[int][]byte // records of the metadata section, by entry
	metaErr  error

	contentsOnce sync.Once
	contentsOK   bool
	contentsErr  error
}

// OpenPack reads a pack's headers, for callers that have the key and need no
// [archive.Archive]. It fails if the private header is encrypted with a key that is
// missing or wrong; [ReadHeader] still works then.
func OpenPack(ra io.ReaderAt, size int64, opts Options) (*Pack, error) {
	h, at, err := ReadHeader(ra, size)
	if err != nil {
		return nil, err
	}
	p := &Pack{Header: *h, Options: opts, ra: ra, size: size, headerAt: at}
	if err := p.readDirectory(); err != nil {
		return nil, err
	}
	if p.folders, err = folderPaths(p.Folders); err != nil {
		return nil, err
	}
	p.paths = make([]string, len(p.Files))
	total := 0
	for i := range p.Files {
		if f := p.Files[i].Folder; f < -1 || int(f) >= len(p.Folders) {
			return nil, fault.New(fault.TableCorrupt, "file %d is in folder %d of %d", i, f, len(p.Folders))
		}
		p.paths[i] = p.pathOf(i)
		if total += len(p.paths[i]); total > maxAllPaths {
			return nil, fault.New(fault.Limit, "the paths of all files are longer than %d bytes", maxAllPaths)
		}
	}
	return p, nil
}

// pathOf is the slash-separated path of an entry. A hashed name is resolved if possible.
func (p *Pack) pathOf(i int) string {
	f := &p.Files[i]
	name := f.Name
	if f.Flags&IsHashed != 0 {
		if plain, ok := p.Names.Resolve(name); ok {
			name = plain
		}
	}
	if f.Folder < 0 {
		return slashed(name)
	}
	return p.folders[f.Folder] + slashed(name)
}

// Path returns the slash-separated path of the i-th entry.
func (p *Pack) Path(i int) string { return p.paths[i] }

// dataStart is the offset that entry offsets are relative to.
func (p *Pack) dataStart() int64 {
	if p.Version < 15 {
		return int64(p.DataStart)
	}
	return int64(p.HeaderMaxSize)
}

// headerEncrypted reports whether the private header is encrypted.
func (h *Header) headerEncrypted() bool { return h.Version < 6 || h.DecryptFlags.headerEncrypted() }

// headerCipher is the cipher of the private header and of the metadata.
func (p *Pack) headerCipher() *crypt.Cipher {
	var key Key
	if p.Key != nil {
		key = *p.Key
	}
	return crypt.NewCipher(p.headerKey(key), crypt.ForVersion(p.Version))
}

// dataCipher is the cipher of the entries. It is made once, because its key schedule
// takes longer than decrypting a small entry.
func (p *Pack) dataCipher() *crypt.Cipher {
	p.cipherOnce.Do(func() { p.cipher = crypt.NewCipher(*p.Key, crypt.ForVersion(p.Version)) })
	return p.cipher
}

func (p *Pack) readDirectory() error {
	limit := p.size - p.headerAt
	if p.Version >= 15 {
		limit = min(limit, max(0, int64(p.HeaderMaxSize)-p.headerAt))
	}
	if !p.headerEncrypted() {
		err := growing(16<<10, limit, func(n int64) error {
			data, err := wire.ReadAt(p.ra, p.size, p.headerAt, n, "header")
			if err != nil {
				return err
			}
			return p.parseDirectory(data, p.headerAt, func([]byte) {})
		})
		if err != nil {
			return err
		}
		return p.checkHeader()
	}
	if p.headerNeedsKey() && p.Key == nil {
		return fault.At(fault.KeyRequired, p.headerAt, "header", "the header is encrypted with the pack's own key, which is not known")
	}
	if err := p.decryptDirectory(limit); err != nil {
		return p.keyOrDamage(err)
	}
	return p.checkHeader()
}

func (p *Pack) decryptDirectory(limit int64) error {
	iv, err := wire.ReadAt(p.ra, p.size, p.headerAt, crypt.BlockSize, "headerIV")
	if err != nil {
		return err
	}
	p.headerIV = binary.LittleEndian.Uint64(iv)
	start := p.headerAt + crypt.BlockSize
	limit -= crypt.BlockSize
	first := int64(64 << 10)
	cipher := p.headerCipher()
	if p.Version < 15 {
		begin, err := wire.ReadAt(p.ra, p.size, start, 24, "header")
		if err != nil {
			return err
		}
		cipher.DecryptStream(begin, begin, p.headerIV, nil)
		end, err := p.plausible(begin)
		if err != nil {
			return err
		}
		limit = min(limit, max(0, end-start))
		first = limit // the length is known: read it at once
	}
	var plain []byte
	dec, mixed := crypt.NewDecrypter(cipher, p.headerIV, nil), false
	return growing(first, limit, func(n int64) error {
		n &^= crypt.BlockSize - 1
		have := len(plain)
		data, err := wire.ReadAt(p.ra, p.size, start+int64(have), n-int64(have), "header")
		if err != nil {
			return err
		}
		dec.Decrypt(data, data)
		plain = append(plain, data...)
		// The folder table changes the cipher for the pages behind it. When it is
		// complete, these pages are decrypted again.
		parseErr := p.parseDirectory(plain, start, func(done []byte) {
			x := folderMix(p.Folders)
			if x == 0 || mixed {
				return
			}
			mixed = true
			dec = crypt.NewDecrypter(cipher, p.headerIV, crypt.Pages{headerMixPage(len(done)): x})
			if data, err = wire.ReadAt(p.ra, p.size, start, n, "header"); err == nil {
				dec.Decrypt(plain, data)
			}
		})
		if err != nil {
			return err
		}
		return parseErr
	})
}

// parseDirectory parses the plaintext of the private header. When the folder table is
// complete, it calls folders with the bytes read so far.
func (p *Pack) parseDirectory(plain []byte, at int64, folders func(done []byte)) error {
	r := wire.NewReader(plain, at)
	p.Directory.code(&coder{r: r}, p.Version, func() {
		if r.Err() == nil {
			folders(plain[:r.Offset()-at])
		}
	})
	if r.Err() != nil {
		return r.Err()
	}
	p.headerLen = r.Offset() - at
	p.md5Holds = p.HeaderMD5 == p.sumImage(plain[:p.headerLen])
	return nil
}

// folderMix is the value that the folder table adds to the cipher: the third and fourth
// character of the third folder's name, in UTF-16, if the name has more than four.
func folderMix(folders []Folder) crypt.IVXor {
	if len(folders) < 3 {
		return 0
	}
	name := utf16.Encode([]rune(withBackslash(folders[2].Name)))
	if len(name) <= 4 {
		return 0
	}
	var x crypt.IVXor
	x.MixWord(uint32(name[2]) | uint32(name[3])<<16)
	return x
}

// withBackslash is the name of a folder as the game sees it.
func withBackslash(name string) string {
	if len(name) > 0 && name[len(name)-1] == '\\' {
		return name
	}
	return name + `\`
}

// headerMixPage is the first page that begins at or behind n bytes.
func headerMixPage(n int) int { return (n + crypt.PageSize - 1) / crypt.PageSize }

// sumImage computes headerMD5. It covers the private header with this field zeroed, and
// before it, from version 6 on, the clear header without its fixed fields.
func (h *Header) sumImage(image []byte) [16]byte {
	sum := md5.New()
	switch {
	case h.Version >= 15:
		sum.Write(h.bytes()[checkedOffset+8:])
	case h.Version >= 6:
		sum.Write(h.bytes()[checkedOffset+4:])
	}
	sum.Write(make([]byte, 16))
	sum.Write(image[16:])
	return [16]byte(sum.Sum(nil))
}

// bytes encodes the clear header.
func (h *Header) bytes() []byte {
	var c coder
	h.code(&c)
	return c.w
}

// known reports whether real packs have shown what the MD5s cover and how the metadata is
// stored. For versions 6 to 17 they have not.
func (h *Header) known() bool { return h.Version < 6 || h.Version == 18 }

func (p *Pack) checkHeader() error {
	if p.md5Holds || !p.known() {
		return nil
	}
	return fault.At(fault.HashMismatch, p.headerAt, "headerMD5", "the MD5 of the header differs from the stored one")
}

// maxHeader is the largest private header that any game writes.
const maxHeader = 0x1000000

// plausible checks the first fields of a decrypted header before version 15, among them
// the end of the header. With a wrong key they are random. It returns the largest
// possible end of the header.
func (p *Pack) plausible(plain []byte) (end int64, err error) {
	meta, data := binary.LittleEndian.Uint32(plain[16:]), binary.LittleEndian.Uint32(plain[20:])
	if data > maxHeader || meta != 0 && meta < data {
		return 0, fault.At(fault.WrongKey, p.headerAt, "header", "the key does not fit: the decrypted header makes no sense")
	}
	return int64(data), nil
}

// keyOrDamage decides whether an unreadable header means a wrong key or damage. From
// version 6 on the contents checksum decides: if it is right, nothing is damaged, so the
// key is wrong.
func (p *Pack) keyOrDamage(err error) error {
	if p.Version < 6 || fault.KindOf(err) == "" {
		return err
	}
	if ok, sumErr := p.contentsHold(); sumErr == nil && ok {
		return fault.At(fault.WrongKey, p.headerAt, "header", "the key does not fit: the file is intact, but the decrypted header makes no sense")
	}
	return err
}

// contentsHold checks the contents checksum, which covers nearly everything. It reads the
// whole file, but only once.
func (p *Pack) contentsHold() (bool, error) {
	p.contentsOnce.Do(func() {
		p.contentsOK, p.contentsErr = p.Header.contentsHold(p.ra, p.size)
	})
	return p.contentsOK, p.contentsErr
}

func (h *Header) contentsHold(ra io.ReaderAt, size int64) (bool, error) {
	sum := sha256.New()
	_, err := io.Copy(sum, io.NewSectionReader(ra, checkedOffset, size-checkedOffset))
	return err == nil && [32]byte(sum.Sum(nil)) == h.ContentsChecksum, err
}

// base is the last element of an entry's path.
func (p *Pack) base(i int) string { return path.Base(p.paths[i]) }
