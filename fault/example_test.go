package fault_test

import (
	"errors"
	"fmt"

	"pakbox/fault"
)

// A parser reports the fault and its offset; the layers above add the entry and
// the file. Callers ask for a kind, or for its class.
func Example() {
	var err error = fault.At(fault.Truncated, 0x1c, "salt", "4 bytes are missing")
	err = fault.InEntry(err, "a.txt")
	err = fault.InFile(err, "x.vpk")
	fmt.Println(err)
	fmt.Println(errors.Is(err, fault.Truncated), errors.Is(err, fault.Corrupt), errors.Is(err, fault.Key))
	var e *fault.Error
	if errors.As(err, &e) {
		fmt.Println(e.Entry, e.Offset, e.Field)
	}
	// Output:
	// x.vpk: a.txt: salt at 0x1c: 4 bytes are missing
	// true true false
	// a.txt 28 salt
}
