package plug

import (
	"math"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// ClassVehicleVis is the class of the entities that are cars.
const ClassVehicleVis classid.ID = 0x0A018000 // CSceneVehicleVis

// sampleRows goes through the samples of an entity, whichever way they are
// stored.
//
// From version 11 on they are stored by column: the first bytes of all
// samples, then all second bytes, each as the difference to the one before.
// Times are differences too.
type sampleRows struct {
	entity *CPlugEntRecordDataEntity
	at     gbx.Time
	row    []byte // what the columns add up to
}

// rows is where going through the samples begins, and how many they are: none
// where what was made in memory is not consistent.
func (e *CPlugEntRecordDataEntity) rows() (sampleRows, int) {
	n, size := int(e.SampleCount), int(e.SampleSize)
	switch {
	case n == 0:
		return sampleRows{entity: e}, len(e.Samples)
	case len(e.TimeDeltas) != n || len(e.Columns) != n*size:
		return sampleRows{entity: e}, 0
	}
	return sampleRows{entity: e, row: make([]byte, size)}, n
}

// sample is number i. All must be asked for in order, and the bytes are there
// until the next is.
func (r *sampleRows) sample(i int) (gbx.Time, []byte) {
	e := r.entity
	if e.SampleCount == 0 {
		return e.Samples[i].Time, e.Samples[i].Data
	}
	r.at += gbx.Time(e.TimeDeltas[i])
	for column := range r.row {
		r.row[column] += e.Columns[i]
		i += int(e.SampleCount)
	}
	return r.at, r.row
}

// DecodedSamples returns the entity's samples.
func (e *CPlugEntRecordDataEntity) DecodedSamples() []CPlugEntRecordDataSample {
	if e.SampleCount == 0 {
		return e.Samples
	}
	rows, n := e.rows()
	if n == 0 {
		return nil
	}
	size := len(rows.row)
	out := make([]CPlugEntRecordDataSample, n)
	bytes := make([]byte, n*size)
	for i := range out {
		at, row := rows.sample(i)
		data := bytes[i*size : (i+1)*size : (i+1)*size]
		copy(data, row)
		out[i] = CPlugEntRecordDataSample{Time: at, Data: data}
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

// EachVehicle shows the samples of an entity of class [ClassVehicleVis], one
// after the other in the same place.
func (e *CPlugEntRecordDataEntity) EachVehicle(show func(*VehicleSample)) error {
	var car VehicleSample
	rows, n := e.rows()
	err := gbx.DecodeRecords(n, func(i int) ([]byte, gbx.Body) {
		if i > 0 {
			show(&car)
		}
		at, data := rows.sample(i)
		car = VehicleSample{Time: at}
		return data, &car
	})
	if err == nil && n > 0 {
		show(&car)
	}
	return err
}
