package gbx

import "pakbox/fault"

// Some chunks hold bytes that are records themselves: samples of a ghost, for
// example. They have neither IDs nor nodes, and are decoded when somebody looks
// at them.

// nothing is the registry of records, which have no chunks.
var nothing = &Registry{}

// DecodeRecord decodes a record, which must take up all of data.
func DecodeRecord(data []byte, v Body) error {
	return DecodeRecords(1, func(int) ([]byte, Body) { return data, v })
}

// DecodeRecords decodes n records, up to the first that is wrong. At gives the
// bytes of each, all of which it must take up, and what it is decoded into.
func DecodeRecords(n int, at func(i int) (data []byte, v Body)) error {
	x := newCoder(nothing)
	defer x.release()
	var budget int64
	x.read(nil, false, &budget)
	for i := range n {
		data, v := at(i)
		budget = int64(memoryBase) + memoryFactor*int64(len(data))
		x.src, x.pos, x.limit = data, 0, len(data)
		x.refresh()
		v.Code(x)
		if x.err == nil && x.pos != x.limit {
			x.Fail(fault.SizeMismatch, "", "%d of %d bytes are left over in the record", x.limit-x.pos, x.limit)
		}
		if x.err != nil {
			return x.err
		}
	}
	return nil
}

// EncodeRecord codes a record.
func EncodeRecord(v Body) ([]byte, error) {
	x := newWriter(false, nothing, nil)
	defer x.release()
	v.Code(x)
	return x.out, x.Err()
}
