package game

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
)

// Scrambling twice gives the original bytes; the scrambled ones were made by another program.
func TestScramble(t *testing.T) {
	plain := make([]byte, 60)
	for i := range plain {
		plain[i] = byte(i + 1)
	}
	if got := hex.EncodeToString(scramble(plain)); got != "9258dd1375501a13fd27926cf53f654c12277db3ead065b39d58123395df1aecade7ddec4aef2513c298ad12ba01d972aae6c18daaee268de566aef2" {
		t.Errorf(`got = %v; want "9258dd1375501a13fd27926cf53f654c12277db3ead065b39d58123395df1aecade7ddec4aef2513c298ad12ba01d972aae6c18daaee268de566aef2"`, got)
	}
	for _, n := range []int{0, 1, 5, 6, 127, 128, 1000} {
		b := bytes.Repeat([]byte{0xA5}, n)
		if again := scramble(scramble(b)); !bytes.Equal(again, b) {
			t.Errorf("%d bytes: %x", n, again)
		}
	}
}

// crypted is scrambled content as a record of its own.
type crypted struct{ CryptedUnlimiter }

func (c *crypted) Code(x *gbx.Coder) { c.CryptedUnlimiter.Code(x) }

// Values that were set are decoded again, from the bytes of a file too.
func TestCryptedUnlimiter(t *testing.T) {
	want := &CGameCtnChallengeUnlimiterData{Flags: 2, DecorationOffset: gbx.Vec3{X: 1, Y: 2, Z: 3}, U01: 7}
	var c crypted
	if err := c.Set(want); err != nil {
		t.Fatal(err)
	}
	data, err := gbx.EncodeRecord(&c)
	if err != nil || !bytes.Equal(data, c.Stored) {
		t.Fatalf("data = %v, err = %v; want no error, data equal to c.Stored", data, err)
	}
	var again crypted
	if err := gbx.DecodeRecord(data, &again); err != nil || !bytes.Equal(again.Stored, c.Stored) {
		t.Fatalf("again = %v, err = %v; want no error, again.Stored equal to c.Stored", again, err)
	}
	got, err := again.Decode()
	if err != nil || got.Flags != want.Flags || got.DecorationOffset != want.DecorationOffset || got.U01 != want.U01 || len(got.Changes) != 0 {
		t.Errorf("got = %+v, err = %v; want no error, got.Flags = %v, got.DecorationOffset = %v, got.U01 = %v, empty got.Changes", got, err, want.Flags, want.DecorationOffset, want.U01)
	}
	if _, err := new(CryptedUnlimiter).Decode(); fault.KindOf(err) != fault.Truncated {
		t.Errorf("err = %v; want err of kind fault.Truncated", err)
	}
}

// early is chunk 03043055 as a record of its own.
type early struct{ EarlyUnlimiter }

func (e *early) Code(x *gbx.Coder) { e.EarlyUnlimiter.Code(x) }

// The data of an early TMUnlimiter is present if any of its values is.
func TestEarlyUnlimiter(t *testing.T) {
	var e early
	if err := gbx.DecodeRecord(nil, &e); err != nil || e.Data != nil {
		t.Errorf("e.Data = %+v, err = %v; want no error, e.Data = nil", e.Data, err)
	}
	if data, err := gbx.EncodeRecord(&e); err != nil || len(data) != 0 {
		t.Errorf("data = % x, err = %v; want no error, empty data", data, err)
	}
	want := &CGameCtnChallengeEarlyUnlimiterData{Version: 1, DecorationOffset: gbx.Int3{X: 1, Y: 2, Z: 3}, DecorationVisibility: 4, End: endOfNode}
	e.Data = want
	data, err := gbx.EncodeRecord(&e)
	if err != nil {
		t.Fatal(err)
	}
	var again early
	if err := gbx.DecodeRecord(data, &again); err != nil {
		t.Fatal(err)
	}
	again.Data.Blocks, again.Data.ClipMappings = nil, nil // empty
	if !reflect.DeepEqual(again.Data, want) {
		t.Errorf("%+v, want %+v", again.Data, want)
	}
}
