package game

import (
	"encoding/binary"
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
		t.Fatalf("%+v (%v)", got, err)
	}
	if q := got[0].Rotation(); q.W < 0.70 || q.W > 0.71 || q.Y < 0.70 || q.Y > 0.71 {
		t.Errorf("turned by %+v", q)
	}
	c.SampleData[2] = 0x77
	if got, err := c.DecodeCharacter(); len(got) != 0 || fault.KindOf(err) != fault.Unsupported {
		t.Errorf("%+v (%v)", got, err)
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
				t.Errorf("%T: %v", err, err)
			}
		}
		if len(cars)+len(walk) > len(data) {
			t.Errorf("%d samples of %d bytes", len(cars)+len(walk), len(data))
		}
	})
}
