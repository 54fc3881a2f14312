package code

import "strconv"

// BitName is the name of one bit, for [FlagString].
type BitName struct {
	Bit  int
	Name string
}

// FlagString returns the names of the set bits, joined by "|", and unnamed bits in
// hexadecimal.
func FlagString(v uint32, names []BitName) string {
	var room [64]byte // most texts fit, so that only the result is allocated
	text := room[:0]
	for _, n := range names {
		if v&(1<<n.Bit) != 0 {
			text = append(append(text, n.Name...), '|')
			v &^= 1 << n.Bit
		}
	}
	if v != 0 || len(text) == 0 {
		return string(strconv.AppendUint(append(text, "0x"...), uint64(v), 16))
	}
	return string(text[:len(text)-1])
}
