package gbx

import "pakbox/fault"

// Some chunks hold bytes that are records themselves: samples of a ghost, for
// example. They have neither Ids nor nodes, and are decoded when somebody looks
// at them.

// nothing is the registry of records, which have no chunks.
var nothing = &Registry{}

// DecodeRecord decodes a record, which must take up all of data.
func DecodeRecord(data []byte, v Body) error {
	budget := int64(memoryBase) + memoryFactor*int64(len(data))
	x := newReader(data, false, nothing, &budget)
	defer x.release()
	v.Code(x)
	if x.err == nil && x.pos != x.limit {
		x.Fail(fault.SizeMismatch, "", "%d of %d bytes are left over in the record", x.limit-x.pos, x.limit)
	}
	return x.Err()
}

// EncodeRecord codes a record.
func EncodeRecord(v Body) ([]byte, error) {
	x := newWriter(false, nothing, nil)
	defer x.release()
	v.Code(x)
	return x.out, x.Err()
}
