package vpk42

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"io"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
)

// keyPrefix is put before the passphrase, also in version 2.
const keyPrefix = "42PK-v1:"

// iterations is the number of PBKDF2 rounds in a version.
func iterations(version uint16) int {
	if version >= 2 {
		return 200_000
	}
	return 100_000
}

// keys are the keys from a passphrase and a salt.
type keys struct {
	block cipher.Block
	aead  cipher.AEAD // for AES-256-GCM
	mac   []byte      // for HMAC-SHA256
}

// stretch derives key bytes slowly, which makes guessing passphrases expensive. It is a
// variable so that tests can replace it.
var stretch = func(passphrase string, salt [saltSize]byte, rounds int) ([]byte, error) {
	return pbkdf2.Key(sha512.New, passphrase, salt[:], rounds, 64)
}

// deriveKeys is slow, so it is called once per archive.
func deriveKeys(passphrase string, h *Header) (*keys, error) {
	derived, err := stretch(keyPrefix+passphrase, h.Salt, iterations(h.Version))
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(derived[:32])
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return &keys{block, aead, derived[32:]}, nil
}

// askPassphrase asks the caller for the passphrase.
func askPassphrase(opts archive.Options) (string, error) {
	required := fault.New(fault.PassphraseRequired, "a passphrase is needed")
	if opts.Passphrase == nil {
		return "", required
	}
	passphrase, err := opts.Passphrase()
	if err == nil && passphrase == "" {
		err = required
	}
	return passphrase, err
}

// seal encrypts data, in place if its capacity allows, and returns the ciphertext and the
// tag.
func (k *keys) seal(data, nonce []byte) (ciphertext, tag []byte) {
	sealed := k.aead.Seal(data[:0], nonce, data, nil)
	return sealed[:len(data)], sealed[len(data):]
}

// open decrypts data, in place if its capacity allows.
func (k *keys) open(data, nonce, tag []byte) ([]byte, bool) {
	sealed := append(data, tag...)
	plain, err := k.aead.Open(sealed[:0], nonce, sealed, nil)
	return plain, err == nil
}

// sealTable encrypts the entry table: nonce, tag, ciphertext.
func (k *keys) sealTable(table, nonce []byte) []byte {
	ciphertext, tag := k.seal(table, nonce)
	return bytes.Join([][]byte{nonce, tag, ciphertext}, nil)
}

// tableOverhead is the number of bytes that encryption adds to the table.
const tableOverhead = nonceSize + tagSize

// openTable decrypts the entry table.
func (k *keys) openTable(stored []byte) ([]byte, bool) {
	if len(stored) < tableOverhead {
		return nil, false
	}
	return k.open(bytes.Clone(stored[tableOverhead:]), stored[:nonceSize], stored[nonceSize:tableOverhead])
}

// sum computes the HMAC of the first n bytes of a file.
func (k *keys) sum(ctx context.Context, ra io.ReaderAt, n int64) ([]byte, error) {
	mac := hmac.New(sha256.New, k.mac)
	got, err := bulk.Copy(ctx, mac, io.NewSectionReader(ra, 0, n))
	if err != nil {
		return nil, err
	}
	if got < n {
		return nil, fault.At(fault.Truncated, got, "", "the file ends after %d of the expected %d bytes", got, n)
	}
	return mac.Sum(nil), nil
}
