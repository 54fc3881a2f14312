package plug

import (
	"math"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// ClassVehicleVis is the class of the entities that are cars.
const ClassVehicleVis classid.ID = 0x0A018000 // CSceneVehicleVis

// DecodedSamples returns the entity's samples, whichever way they are stored.
//
// From version 11 on they are stored by column: the first bytes of all
// samples, then all second bytes, each as the difference to the one before.
// Times are differences too.
func (e *CPlugEntRecordDataEntity) DecodedSamples() []CPlugEntRecordDataSample {
	n, size := int(e.SampleCount), int(e.SampleSize)
	if n == 0 {
		return e.Samples
	}
	if len(e.TimeDeltas) != n || len(e.Columns) != n*size {
		return nil // made in memory, and not consistent
	}
	out := make([]CPlugEntRecordDataSample, n)
	bytes := make([]byte, n*size)
	var at gbx.Time
	for i := range out {
		at += gbx.Time(e.TimeDeltas[i])
		out[i] = CPlugEntRecordDataSample{Time: at, Data: bytes[i*size : (i+1)*size : (i+1)*size]}
	}
	for column := range size {
		var b byte
		for i, d := range e.Columns[column*n : (column+1)*n] {
			b += d
			bytes[i*size+column] = b
		}
	}
	return out
}

// SetSamples replaces the entity's samples, which must all have one size, by
// columns. It is the inverse of DecodedSamples.
func (e *CPlugEntRecordDataEntity) SetSamples(samples []CPlugEntRecordDataSample) {
	n := len(samples)
	e.SampleCount, e.SampleSize = uint32(n), 0
	e.TimeDeltas, e.Columns = make([]int32, n), nil
	if n == 0 {
		return
	}
	size := len(samples[0].Data)
	e.SampleSize = uint32(size)
	e.Columns = make([]byte, n*size)
	var at gbx.Time
	for i, s := range samples {
		e.TimeDeltas[i] = int32(s.Time - at)
		at = s.Time
		for column, b := range s.Data {
			if i > 0 {
				b -= samples[i-1].Data[column]
			}
			e.Columns[column*n+i] = b
		}
	}
}

// VehicleSample is a car at one moment.
type VehicleSample struct {
	Time gbx.Time
	CPlugEntRecordDataVehicleVis
	// Rest is what follows the values that are understood; its length
	// depends on the game's version.
	Rest []byte
}

// Code reads or writes the sample.
func (s *VehicleSample) Code(x *gbx.Coder) {
	s.CPlugEntRecordDataVehicleVis.Code(x)
	n := len(s.Rest)
	if x.Reading() {
		n = x.Remaining()
	}
	x.Bytes(&s.Rest, n, "rest")
}

// Rotation returns which way the car is turned.
func (s *VehicleSample) Rotation() gbx.Quat {
	return gbx.UnpackRotation(s.Angle, s.AxisHeading, s.AxisPitch)
}

// Velocity returns where the car is going, in metres a second.
func (s *VehicleSample) Velocity() gbx.Vec3 {
	return gbx.UnpackVelocity(s.Speed, s.VelocityHeading, s.VelocityPitch)
}

// Steering returns the position of the steering wheel, -1 to 1.
func (s *VehicleSample) Steering() float64 { return (float64(s.Steer)/math.MaxUint8 - 0.5) * 2 }

// GearNumber returns the gear, 1 to 5, or 0 for none: it stands above the two
// lowest bits of its byte.
func (s *VehicleSample) GearNumber() int { return int(s.Gear >> 2) }

// Vehicles decodes samples of an entity of class [ClassVehicleVis].
func Vehicles(samples []CPlugEntRecordDataSample) ([]VehicleSample, error) {
	out := make([]VehicleSample, len(samples))
	err := gbx.DecodeRecords(len(samples), func(i int) ([]byte, gbx.Body) {
		out[i].Time = samples[i].Time
		return samples[i].Data, &out[i]
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
