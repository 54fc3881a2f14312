package finding_test

import (
	"encoding/json"
	"fmt"

	"pakbox/fault"
	"pakbox/finding"
)

// A check collects findings and continues. The severity of the worst finding shows how
// bad the file is.
func Example() {
	found := []finding.Finding{
		finding.New(finding.Warning, "medal_order", finding.Nowhere, "gold is slower than silver"),
		finding.Of(finding.Error, fault.InEntry(fault.At(fault.HashMismatch, 16, "crc", "differs"), "a.txt")),
	}
	fmt.Println(finding.Worst(found))
	text, err := json.Marshal(found[1])
	fmt.Println(string(text), err)
	// Output:
	// error
	// {"severity":"error","kind":"hash_mismatch","rule":"hash_mismatch","message":"crc at 0x10: differs","entry":"a.txt","offset":16,"field":"crc"} <nil>
}
