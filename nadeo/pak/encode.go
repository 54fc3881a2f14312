package pak

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"io"
	"strings"

	"pakbox/codec/zinflate"
	"pakbox/fault"
	"pakbox/gbx/classid"
	"pakbox/nadeo/internal/crypt"
)

// encoder encodes contents as slots of a pack. A slot is the stored form of an entry.
type encoder struct {
	version uint32
	key     *Key
	nodes   NodeWalker
	// clear makes an entry that cannot be encrypted safely an unencrypted one, instead of
	// an error.
	clear bool
}

// encode sets the sizes and flags of f and returns the slot for content. f.Flags say
// whether to compress and to encrypt.
func (e *encoder) encode(f *File, content []byte) ([]byte, error) {
	if int64(len(content)) > 1<<31-1 {
		return nil, fault.New(fault.Limit, "an entry of %d bytes is too large for the format", len(content))
	}
	stored := content
	if f.Compressed() {
		packed := compress(e.version, content)
		if len(packed) < len(content) {
			stored = packed
		} else {
			f.Flags &^= compressionMask
		}
	}
	f.UncompressedSize, f.CompressedSize = uint32(len(content)), uint32(len(stored))
	slot, err := e.seal(f, content, stored)
	if err != nil {
		return nil, err
	}
	if e.version >= 18 {
		// IsSeekable is set only for content that is stored plainly. On an encrypted
		// entry it would mean another cipher mode.
		f.Flags &^= IsSeekable
		if !f.Compressed() && !f.Flags.Encrypted() {
			f.Flags |= IsSeekable
		}
	}
	if e.version >= 17 {
		slot = append(slot, make([]byte, -len(slot)&63)...)
		f.Size = uint32(len(slot))
	}
	if e.version >= 14 {
		f.Checksum = md5.Sum(slot)
	}
	return slot, nil
}

// compress compresses content as packs of that version do.
func compress(version uint32, content []byte) []byte {
	if version >= 18 {
		return packLZ4(content)
	}
	return packZlib(content)
}

// seal encrypts stored if f.Flags say so.
func (e *encoder) seal(f *File, content, stored []byte) ([]byte, error) {
	if len(stored) == 0 && e.version >= 17 {
		f.Flags |= ForceNoCrypt // as for every empty entry in real packs
	}
	if !f.Flags.Encrypted() {
		return bytes.Clone(stored), nil
	}
	if e.key == nil {
		return nil, fault.New(fault.KeyRequired, "to encrypt the entry the pack's key is needed")
	}
	var pages crypt.Pages
	if string(content[:min(3, len(content))]) == "GBX" && f.Flags&DontUseDummyWrite == 0 {
		var err error
		if pages, err = e.pages(f, stored); err != nil {
			if e.clear {
				f.Flags |= ForceNoCrypt
				return bytes.Clone(stored), nil
			}
			return nil, fault.Wrap(fault.UnknownClass, err, "the GBX cannot be encrypted, because not all of its nodes are understood (if its body is compressed, convert it with --body uncompressed; a new pack can hold it unencrypted, with clear-gbx)")
		}
	}
	// Any IV is valid. An IV from the content gives the same pack for the same input.
	sum := md5.Sum(stored)
	return sealed(e.version, *e.key, binary.LittleEndian.Uint64(sum[:]), stored, pages), nil
}

// pages computes the values that change the cipher on each page of an encrypted GBX, by
// reading it as the game will.
func (e *encoder) pages(f *File, stored []byte) (crypt.Pages, error) {
	rec := crypt.NewRecorder(stored)
	var top source = rec
	if f.Compressed() {
		if e.version >= 18 {
			top = newLZ4Reader(rec, int64(len(stored)), int64(f.UncompressedSize), nil)
		} else {
			top = zinflate.NewPageReader(rec)
		}
	}
	count := &counter{r: top}
	head := make([]byte, 3) // readers read these first, to recognise a GBX
	_, err := io.ReadFull(count, head)
	if err == nil && e.nodes == nil {
		err = errNoWalker
	}
	if err == nil {
		w := words{games: gamesOf(e.version)[0]}
		_, err = e.nodes(io.MultiReader(bytes.NewReader(head), count), int64(f.UncompressedSize), e.version, func(class classid.ID) error {
			word, err := w.of(class)
			if err == nil && w.forked && e.version >= 18 {
				err = fault.New(fault.UnknownClass, "the parent of class %v is another in TM2020 than in ManiaPlanet, and the pack may be for either", class)
			}
			if err == nil {
				rec.Mix(word)
			}
			return err
		})
	}
	// If the rest is already decoded, no later node can change it, and the error does not
	// matter.
	if count.n+int64(len(top.Buffered())) == int64(f.UncompressedSize) && rec.Ended() {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, count); err != nil {
		return nil, err
	}
	return rec.Pages(), nil
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// sealed returns an IV and the ciphertext of plain. plain is padded to whole blocks, from
// version 17 on to whole pages.
func sealed(version uint32, key Key, iv uint64, plain []byte, pages crypt.Pages) []byte {
	out := binary.LittleEndian.AppendUint64(nil, iv)
	out = append(out, padded(version, plain)...)
	crypt.NewCipher(key, crypt.ForVersion(version)).EncryptStream(out[8:], out[8:], iv, pages)
	return out
}

// padded fills the last block with zeros, or the last page as Nadeo does: with the old
// content of its buffer, which is the page before, or 0xCC.
func padded(version uint32, plain []byte) []byte {
	if version < 17 {
		return append(bytes.Clone(plain), make([]byte, -len(plain)&(crypt.BlockSize-1))...)
	}
	n := (len(plain) + crypt.PageSize - 1) &^ (crypt.PageSize - 1)
	out := append(make([]byte, 0, n), plain...)
	for i := len(plain); i < n; i++ {
		if i >= crypt.PageSize {
			out = append(out, out[i-crypt.PageSize])
		} else {
			out = append(out, 0xcc)
		}
	}
	return out
}

// classIDs are the class IDs of files other than GBX in real packs.
var classIDs = []struct {
	suffix string
	id     uint32
}{
	{".script.txt", 0x09054000}, {".txt", 0x09041000}, {".xml", 0x09041000}, {".jpg", 0x09022000}, {".jpeg", 0x09022000},
	{".png", 0x0903d000}, {".dds", 0x09024000}, {".tga", 0x09023000},
}

// classIDOf is the class ID of a new entry.
func classIDOf(name string, content []byte) uint32 {
	if head, _ := parseGBXHead(content); head != nil {
		return head.classID
	}
	name = strings.ToLower(name)
	for _, c := range classIDs {
		if strings.HasSuffix(name, c.suffix) {
			return c.id
		}
	}
	return 0x09020000 // CPlugFile
}
