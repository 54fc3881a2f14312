package plug

import (
	"bytes"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// ClassVehicleVis is the class of the entities that are cars.
const ClassVehicleVis classid.ID = 0x0A018000 // CSceneVehicleVis

// sampleRows iterates over the samples of an entity. From version 11 on they are stored
// by column: the first bytes of all samples, then the second bytes, and so on, each as
// the difference to the sample before. Times are differences too.
type sampleRows struct {
	entity *CPlugEntRecordDataEntity
	at     gbx.Time
	row    []byte // sums of the differences so far: the current sample
	wanted []int  // columns that are needed; nil for all
}

// rows starts the iteration and returns the number of samples; 0 if they are
// inconsistent.
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

// sample returns sample i. It must be called in order. The bytes are valid until the next
// call.
func (r *sampleRows) sample(i int) (gbx.Time, []byte) {
	e := r.entity
	if e.SampleCount == 0 {
		return e.Samples[i].Time, e.Samples[i].Data
	}
	r.at += gbx.Time(e.TimeDeltas[i])
	n := int(e.SampleCount)
	for _, column := range r.wanted {
		r.row[column] += e.Columns[column*n+i]
	}
	if r.wanted == nil {
		for column := range r.row {
			r.row[column] += e.Columns[i]
			i += n
		}
	}
	return r.at, r.row
}

// DecodedSamples returns the entity's samples.
func (e *CPlugEntRecordDataEntity) DecodedSamples() []CPlugEntRecordDataSample {
	if e.SampleCount == 0 {
		return e.Samples
	}
	var out []CPlugEntRecordDataSample
	e.EachSample(nil, func(at gbx.Time, data []byte) {
		out = append(out, CPlugEntRecordDataSample{Time: at, Data: bytes.Clone(data)})
	})
	return out
}

// SetSamples replaces the samples, which must have the same size. It is the inverse of
// DecodedSamples.
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

// EachSample calls show for the samples in order. The bytes are valid until the next
// sample. If wanted is not nil, only these bytes of a sample are right.
func (e *CPlugEntRecordDataEntity) EachSample(wanted []int, show func(at gbx.Time, data []byte)) {
	rows, n := e.rows()
	if size := int(e.SampleSize); wanted != nil {
		rows.wanted = slices.DeleteFunc(slices.Clone(wanted), func(column int) bool { return column >= size })
	}
	for i := range n {
		show(rows.sample(i))
	}
}
