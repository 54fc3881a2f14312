package game

import (
	"encoding/binary"
	"math"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
)

// A character's sample: an event in the first list, none in the second, and
// the place behind them.
func characterSample() []byte {
	b := []byte{1, 0, 0x0A, 0, 0, 0, 0, 0, 0, 7, 0, 0}
	b = append(b, make([]byte, beforePlace)...)
	b = append(b, 0, 0, 0x80, 0x3F, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40) // 1, 2, 3
	b = append(b, 0, 0, 0, 0x20)                                     // a quarter of a turn
	return append(b, 0, 0x80, 0, 0, 9, 9)
}

func TestCharacterSample(t *testing.T) {
	one := characterSample()
	c := &Chunk0303F005Samples{
		SampleClass: classCharacter, SampleVersion: 7<<16 | 14, SampleCount: 2, SampleSize: -1, SampleSizes: []uint32{uint32(len(one))},
		SampleTimes: []int32{10, 50}, SampleData: append(append([]byte{}, one...), one...),
	}
	got, err := c.DecodeCharacter()
	if err != nil || len(got) != 2 || got[1].Time != 60 || got[1].Position != (gbx.Vec3{X: 1, Y: 2, Z: 3}) {
		t.Fatalf("got = %+v (err = %v); want no error, got of length 2, got[1].Time = 60, got[1].Position = gbx.Vec3{X: 1, Y: 2, Z: 3}", got, err)
	}
	if q := got[0].Rotation(); q.W < 0.70 || q.W > 0.71 || q.Y < 0.70 || q.Y > 0.71 {
		t.Errorf("turned by %+v", q)
	}
	c.SampleData[2] = 0x77
	if got, err := c.DecodeCharacter(); len(got) != 0 || fault.KindOf(err) != fault.Unsupported {
		t.Errorf("got = %+v (err = %v); want empty got, err of kind fault.Unsupported", got, err)
	}
}

// Events of every known kind are passed over, in both lists, and samples of no
// length too: who watched a ghost not from the start has them.
func TestCharacterEvents(t *testing.T) {
	rest := characterSample()[10:] // no event in the second list, and the place
	sample := func(list int, kind byte, size int) []byte {
		event := append([]byte{1, 0, kind}, make([]byte, eventHeader+size)...)
		if list == 0 {
			return append(event, rest...)
		}
		return append(append([]byte{0, 0}, event...), rest[2:]...)
	}
	for list, kinds := range []map[byte]int{
		{0x00: 18, 0x03: 18, 0x05: 18, 0x06: 0, 0x0A: 1, 0x0B: 0, 0x0D: 0, 0x12: 7, 0x19: 0, 0x1A: 0, 0x1B: 18}, {0x00: 2, 0x04: 18},
	} {
		for kind, size := range kinds {
			one := sample(list, kind, size)
			c := &Chunk0303F005Samples{
				SampleClass: classCharacter, SampleVersion: 14, SampleCount: 3, SampleSize: -1, SampleSizes: []uint32{0, uint32(len(one))},
				SamplePeriod: 100, SampleData: append(append([]byte{}, one...), one...),
			}
			got, err := c.DecodeCharacter()
			if err != nil || len(got) != 2 || got[0].Time != 100 || got[1].Position != (gbx.Vec3{X: 1, Y: 2, Z: 3}) || got[0].Pitch != 0 || got[1].Yaw != math.Pi/2 || got[0].Velocity != (gbx.Vec3{}) {
				t.Errorf("list %d, kind %#x: %+v, %v", list, kind, got, err)
			}
		}
	}
	c := &Chunk0303F005Samples{SampleClass: classVehicleCar, SampleCount: 1, SampleSize: 1, SampleData: []byte{1}}
	if got, err := c.DecodeCharacter(); got != nil || err != nil {
		t.Errorf("of a car: %v, %v", got, err)
	}
	c.SampleClass, c.SampleCount, c.SampleData, c.SampleSize = classCharacter, 9, make([]byte, 9), 10
	if got, err := c.DecodeCharacter(); got != nil || fault.KindOf(err) != fault.Corrupt {
		t.Errorf("beyond the end: %v, %v", got, err)
	}
}

// FuzzSamples decodes samples of cars and characters: errors are typed, and
// there are never more samples than bytes.
func FuzzSamples(f *testing.F) {
	f.Add(uint32(classCharacter), uint32(7<<16|14), uint32(1), int32(-1), characterSample())
	f.Add(uint32(classVehicleCar), uint32(versionNet), uint32(2), int32(17), make([]byte, 34))
	f.Add(uint32(classVehicleCar), uint32(9), uint32(1), int32(61), make([]byte, 61))
	f.Fuzz(func(t *testing.T, class, version, count uint32, size int32, data []byte) {
		c := &Chunk0303F005Samples{SampleVersion: version, SampleCount: count, SampleSize: size, SampleData: data, SamplePeriod: 100}
		c.SampleClass = classVehicleCar
		if class == uint32(classCharacter) {
			c.SampleClass = classCharacter
		}
		for i := 0; i+4 <= len(data) && i < 16; i += 4 {
			c.SampleSizes = append(c.SampleSizes, binary.LittleEndian.Uint32(data[i:])%256)
			c.SampleTimes = append(c.SampleTimes, int32(i))
		}
		cars, err := c.Decode()
		walk, err2 := c.DecodeCharacter()
		for _, err := range []error{err, err2} {
			if err != nil && fault.KindOf(err) == "" {
				t.Errorf(`%T: err = %v; want no error or err of a kind other than none`, err, err)
			}
		}
		if len(cars)+len(walk) > len(data) {
			t.Errorf("%d samples of %d bytes", len(cars)+len(walk), len(data))
		}
	})
}
