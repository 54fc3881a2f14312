package pak

import (
	"crypto/hmac"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// Packlist is a packlist.dat: the file with the base keys of TrackMania's packs. It is
// scrambled with constants of the game, and signed.
type Packlist struct {
	Version uint8
	Product uint32 // CRC-32 of the product's lower-case name; may be 0
	Salt    uint32
	Packs   []ListedPack
}

// ListedPack is one pack of a [Packlist].
type ListedPack struct {
	Flags   uint8
	Name    string
	BaseKey string // 32 characters, hex digits in every known list
}

// productKey is the flag of a pack whose key is also scrambled with the product's name.
const productKey uint8 = 1

// Product is a game whose packlist has its own constants.
type Product struct {
	Name                       string // lower case; needed for packs with the flag productKey
	NameSalt, KeySalt, SignKey string
}

// Products with known constants.
var (
	TrackMania = Product{
		NameSalt: "6611992868945B0B59536FC3226F3FD0",
		KeySalt:  "B97C1205648A66E04F86A1B5D5AF9862",
		SignKey:  "E3554B5828AF14F11AA42A5EAF0AEFC8",
	}
	VirtualSkipper5 = Product{
		NameSalt: "33751203003810C43D169A5B608FC820",
		KeySalt:  "5A8BFF30451E627EAB838DADFB120FB6",
		SignKey:  TrackMania.SignKey,
	}
)

// productKeySalt replaces KeySalt for packs with the flag productKey.
const productKeySalt = "1FCF6EFCF41CAAAD0B810C656DF2DE33"

const (
	maxPackName  = 31
	baseKeyLen   = 32
	signatureLen = md5.Size
)

// nameMask and keyMask are combined with names and keys by exclusive or.
func (p *Product) nameMask(salt uint32) [16]byte {
	return md5.Sum([]byte(p.NameSalt + decimal(salt)))
}

func (p *Product) keyMask(pack *ListedPack, salt uint32) [16]byte {
	keySalt := p.KeySalt
	if pack.Flags&productKey != 0 {
		keySalt = productKeySalt + strings.ToLower(p.Name)
	}
	return md5.Sum([]byte(pack.Name + decimal(salt) + keySalt))
}

func (p *Product) sign(data []byte, salt uint32) []byte {
	key := md5.Sum([]byte(p.SignKey + decimal(salt)))
	mac := hmac.New(md5.New, key[:])
	mac.Write(data)
	return mac.Sum(nil)
}

func decimal(salt uint32) string { return strconv.FormatUint(uint64(salt), 10) }

func mask(data []byte, with [16]byte) []byte {
	out := make([]byte, len(data))
	for i := range data {
		out[i] = data[i] ^ with[i%len(with)]
	}
	return out
}

// ReadPacklist reads a packlist.dat of the given product and checks its signature. If a
// key cannot be unscrambled, it returns an error together with the list, because the
// other keys may be right.
func ReadPacklist(data []byte, product Product) (*Packlist, error) {
	r := wire.NewReader(data, 0)
	l := &Packlist{Version: r.U8("version")}
	n := int(r.U8("numPacks"))
	l.Product, l.Salt = r.U32("product"), r.U32("salt")
	if r.Err() == nil && l.Version != 1 {
		return nil, fault.At(fault.UnsupportedVersion, 0, "version", "version %d of packlist.dat is not known", l.Version)
	}
	names := product.nameMask(l.Salt)
	for range n {
		pack := ListedPack{Flags: r.U8("flags")}
		at := r.Offset()
		length := int(r.U8("name"))
		if length > maxPackName {
			r.Fail(fault.NameTooLong, at, "name", "a name has %d bytes, more than %d", length, maxPackName)
		}
		pack.Name = string(mask(r.Bytes(length, "name"), names))
		pack.BaseKey = string(mask(r.Bytes(baseKeyLen, "key"), product.keyMask(&pack, l.Salt)))
		l.Packs = append(l.Packs, pack)
	}
	signed := r.Offset()
	signature := r.Bytes(signatureLen, "signature")
	if r.Err() != nil {
		return nil, r.Err()
	}
	if r.Len() > 0 {
		return nil, fault.At(fault.TrailingData, r.Offset(), "signature", "%d bytes follow the signature", r.Len())
	}
	if !hmac.Equal(signature, product.sign(data[:signed], l.Salt)) {
		return nil, fault.At(fault.HMACMismatch, signed, "signature", "the signature does not fit the list")
	}
	for i := range l.Packs {
		if err := l.Packs[i].check(product); err != nil {
			return l, err
		}
	}
	return l, nil
}

// check returns an error if the key is not a hex text, because it was unscrambled with the
// wrong constants.
func (p *ListedPack) check(product Product) error {
	if _, err := hex.DecodeString(p.BaseKey); err == nil {
		return nil
	}
	if p.Flags&productKey != 0 && product.Name == "" {
		return fault.InEntry(fault.New(fault.KeyRequired, "the key is scrambled with the product's name, which is not known"), p.Name)
	}
	return fault.InEntry(fault.New(fault.WrongKey, "the key is not 32 hex digits: the list is of another product"), p.Name)
}

// Append encodes the list for a product, signed.
func (l *Packlist) Append(data []byte, product Product) ([]byte, error) {
	if len(l.Packs) > 255 {
		return nil, fault.New(fault.Limit, "a packlist holds at most 255 packs, not %d", len(l.Packs))
	}
	start := len(data)
	data = append(data, 1, uint8(len(l.Packs)))
	data = binary.LittleEndian.AppendUint32(data, l.Product)
	data = binary.LittleEndian.AppendUint32(data, l.Salt)
	for i := range l.Packs {
		pack := &l.Packs[i]
		if len(pack.Name) > maxPackName {
			return nil, fault.InEntry(fault.New(fault.NameTooLong, "a name may have %d bytes, this one has %d", maxPackName, len(pack.Name)), pack.Name)
		}
		if _, err := parseHex16(pack.BaseKey); err != nil {
			return nil, fault.InEntry(err, pack.Name)
		}
		data = append(data, pack.Flags, uint8(len(pack.Name)))
		data = append(data, mask([]byte(pack.Name), product.nameMask(l.Salt))...)
		data = append(data, mask([]byte(pack.BaseKey), product.keyMask(pack, l.Salt))...)
	}
	return append(data, product.sign(data[start:], l.Salt)...), nil
}

// BaseKey finds the base key of a pack, without regard to the letter case of its name.
func (l *Packlist) BaseKey(name string) (string, bool) {
	if pack := l.find(name); pack != nil {
		return pack.BaseKey, true
	}
	return "", false
}

func (l *Packlist) find(name string) *ListedPack {
	for i := range l.Packs {
		if strings.EqualFold(l.Packs[i].Name, name) {
			return &l.Packs[i]
		}
	}
	return nil
}

// Set adds a pack or replaces its key. Names are stored in lower case, as the game does.
func (l *Packlist) Set(name, baseKey string) error {
	if _, err := parseHex16(baseKey); err != nil {
		return err
	}
	baseKey = strings.ToUpper(baseKey)
	if pack := l.find(name); pack != nil {
		pack.BaseKey = baseKey
		return nil
	}
	l.Packs = append(l.Packs, ListedPack{Name: strings.ToLower(name), BaseKey: baseKey})
	return nil
}

// ProductID is the CRC-32 by which a packlist names its product.
func ProductID(name string) uint32 { return crc32.ChecksumIEEE([]byte(strings.ToLower(name))) }
