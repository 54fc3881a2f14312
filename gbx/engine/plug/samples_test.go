package plug_test

import (
	"bytes"
	"reflect"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
)

type sample = plug.CPlugEntRecordDataSample

// Columns hold differences, byte by byte, and times do too.
func TestColumns(t *testing.T) {
	samples := []sample{{Time: 100, Data: []byte{1, 200}}, {Time: 150, Data: []byte{3, 100}}, {Time: 150, Data: []byte{2, 0}}}
	var e plug.CPlugEntRecordDataEntity
	e.SetSamples(samples)
	if e.SampleCount != 3 || e.SampleSize != 2 || !reflect.DeepEqual(e.TimeDeltas, []int32{100, 50, 0}) || !bytes.Equal(e.Columns, []byte{1, 2, 255, 200, 156, 156}) {
		t.Errorf("e = %+v; want e.SampleCount = 3, e.SampleSize = 2, e.TimeDeltas equal to []int32{100, 50, 0}, e.Columns equal to []byte{1, 2, 255, 200, 156, 156}", e)
	}
	if got := e.DecodedSamples(); !reflect.DeepEqual(got, samples) {
		t.Errorf("got = %+v; want got equal to %+v", got, samples)
	}
	// An earlier one has room for nothing of the next.
	got := e.DecodedSamples()
	if _ = append(got[0].Data, 9); got[1].Data[0] != 3 {
		t.Error("samples share room")
	}
	for _, wrong := range []plug.CPlugEntRecordDataEntity{
		{SampleCount: 3, SampleSize: 2, TimeDeltas: e.TimeDeltas, Columns: e.Columns[:5]},
		{SampleCount: 3, SampleSize: 2, TimeDeltas: e.TimeDeltas[:2], Columns: e.Columns},
		{SampleCount: 2, SampleSize: 2, TimeDeltas: e.TimeDeltas, Columns: e.Columns},
	} {
		if got := wrong.DecodedSamples(); got != nil {
			t.Errorf("%+v: got = %+v; want nil", wrong, got)
		}
	}
	e.SetSamples(nil)
	if e.SampleCount != 0 || e.SampleSize != 0 || len(e.TimeDeltas)+len(e.Columns) != 0 || len(e.DecodedSamples()) != 0 {
		t.Errorf("no samples: %+v", e)
	}
	e = plug.CPlugEntRecordDataEntity{Samples: samples} // as before version 11
	if got := e.DecodedSamples(); !reflect.DeepEqual(got, samples) {
		t.Errorf("got = %+v; want got equal to %+v", got, samples)
	}
}

// listed is a list of entities as a record of its own.
type listed struct {
	plug.EntityList
	version int
}

func (l *listed) Code(x *gbx.Coder) { l.EntityList.Code(x, l.version) }

// Whether another entity follows stands behind its samples, before its notices.
func TestEntityList(t *testing.T) {
	entity := func(kind int, samples ...any) []any { return append([]any{kind, 0, 10, 20}, samples...) }
	for name, k := range map[string]struct {
		version int
		parts   []any
		want    []plug.RecordedEntity
	}{
		"none":       {1, []any{"\x00"}, nil},
		"one, early": {1, append(append([]any{"\x01"}, entity(3, "\x01", 15, 2, "ab", "\x00")...), "\x00"), []plug.RecordedEntity{{Entity: plug.CPlugEntRecordDataEntity{Type: 3, Start: 10, End: 20, Samples: []sample{{Time: 15, Data: []byte("ab")}}}}}},
		"with notices": {2, append(append(append(append([]any{"\x01"}, entity(3, "\x00")...), "\x01", "\x01", 5, 11, 1, "n", "\x00"), entity(4, "\x00")...), "\x00", "\x00"), []plug.RecordedEntity{
			{Entity: plug.CPlugEntRecordDataEntity{Type: 3, Start: 10, End: 20}, Notices: []plug.CPlugEntRecordDataNotice{{Type: 5, Time: 11, Data: []byte("n")}}},
			{Entity: plug.CPlugEntRecordDataEntity{Type: 4, Start: 10, End: 20}},
		}},
	} {
		data := join(k.parts...)
		l := listed{version: k.version}
		if err := gbx.DecodeRecord(data, &l); err != nil || !reflect.DeepEqual(l.Entities, k.want) {
			t.Errorf("%s: l.Entities = %+v, err = %v; want no error, l.Entities equal to %+v", name, l.Entities, err, k.want)
			continue
		}
		if again, err := gbx.EncodeRecord(&l); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s: % x, want % x (%v)", name, again, data, err)
		}
	}
}
