package gbx

import "pakbox/fault"

// Some chunks contain records as bytes, such as the samples of a ghost. Records have no
// IDs and no nodes, and are decoded on demand.

// nothing is the registry for records, which have no chunks.
var nothing = &Registry{}

// DecodeRecord decodes data as one record. Bytes after the record are an error.
func DecodeRecord(data []byte, v Body) error {
	return DecodeRecords(1, func(int) ([]byte, Body) { return data, v })
}

// DecodeRecords decodes n records up to the first error. at returns the bytes of record
// i, and the value to decode them into. Bytes after a record are an error.
func DecodeRecords(n int, at func(i int) (data []byte, v Body)) error {
	x := newCoder(nothing)
	defer x.release()
	var budget int64
	x.read(nil, false, &budget)
	for i := range n {
		data, v := at(i)
		budget = budgetFor(int64(len(data)))
		x.src, x.pos, x.limit = data, 0, len(data)
		x.refresh()
		v.Code(x)
		if x.err == nil && x.pos != x.limit {
			x.Fail(fault.SizeMismatch, "", "%d of the %d bytes of a record are unknown", x.limit-x.pos, x.limit)
		}
		if x.err != nil {
			return x.err
		}
	}
	return nil
}

// EncodeRecord returns the bytes of a record.
func EncodeRecord(v Body) ([]byte, error) {
	x := newWriter(false, nothing, nil)
	defer x.release()
	v.Code(x)
	return x.out, x.Err()
}
