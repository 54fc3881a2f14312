package classid_test

import (
	"fmt"

	"pakbox/gbx/classid"
)

// A map of 2003 is of class 24003000, which later games call 03043000.
func ExampleID_Latest() {
	var old classid.ID = 0x24003011
	fmt.Println(old.Latest())
	class, _ := classid.Lookup(old)
	fmt.Println(class.Name, class.Extension)
	// Output:
	// 03043011
	// CGameCtnChallenge Map.Gbx
}
