package engine_test

import (
	"fmt"
	"strings"

	"pakbox/gbx/engine"
)

// The registry names every class that has a sheet, and the sheet says what its
// chunks hold.
func ExampleSheet() {
	class, _ := engine.Registry().Class(0x0301B000)
	sheet, _ := engine.Sheet(class.Name)
	for line := range strings.Lines(sheet) {
		if strings.HasPrefix(line, "class ") || strings.HasPrefix(line, "chunk ") {
			fmt.Print(line)
		}
	}
	// Output:
	// class CGameCtnCollectorList 0301B000 : CMwNod // Blocks a puzzle map hands out.
	// chunk 000
}
