package game

import "pakbox/gbx"

// EarlyUnlimiter is the data of an early TMUnlimiter in chunk 03043055, which the games
// leave empty. It has no size: it exists if the chunk has bytes.
type EarlyUnlimiter struct {
	Data *CGameCtnChallengeEarlyUnlimiterData // nil in files from the games
}

// Code reads or writes the data.
func (u *EarlyUnlimiter) Code(x *gbx.Coder) {
	if x.Reading() && x.Remaining() > 0 {
		u.Data = new(CGameCtnChallengeEarlyUnlimiterData)
	}
	if u.Data != nil {
		u.Data.Code(x)
	}
}

// CryptedUnlimiter is the data that TMUnlimiter 1 adds to a map, as scrambled bytes.
type CryptedUnlimiter struct {
	Stored []byte
}

// Code reads or writes the bytes.
func (u *CryptedUnlimiter) Code(x *gbx.Coder) {
	n := len(u.Stored)
	if x.Reading() {
		n = x.Remaining()
	}
	x.Bytes(&u.Stored, n, "stored")
}

// Decode unscrambles and decodes the bytes.
func (u *CryptedUnlimiter) Decode() (*CGameCtnChallengeUnlimiterData, error) {
	v := new(CGameCtnChallengeUnlimiterData)
	if err := gbx.DecodeRecord(scramble(u.Stored), v); err != nil {
		return nil, err
	}
	return v, nil
}

// Set replaces the content.
func (u *CryptedUnlimiter) Set(v *CGameCtnChallengeUnlimiterData) error {
	b, err := gbx.EncodeRecord(v)
	if err != nil {
		return err
	}
	u.Stored = scramble(b)
	return nil
}

// scramble scrambles and unscrambles bytes: it is its own inverse. The key of a byte
// depends on its position and on the length.
func scramble(b []byte) []byte {
	const (
		mask   = 0xEAD9C8B3
		period = 0x7F
	)
	out := make([]byte, len(b))
	n := uint32(len(b))
	for i, c := range b {
		at := uint32(i)
		key := (n * (2*n - at)) ^ mask
		key += at * 3 % period
		if at%5 < 2 {
			key = ^key
		}
		out[i] = ^(c ^ byte(key))
	}
	return out
}
