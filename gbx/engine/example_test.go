package engine_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"pakbox/gbx/engine"
)

// The registry names every class that has a sheet, and the sheet describes the content of its
// chunks.
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

// Open reads any GBX file: a map, a replay, an item, or a file of a kind that no package
// of pakbox explains.
func ExampleOpen() {
	f, err := engine.Open(context.Background(), "../../samples/trackmania/Sample.Map.Gbx")
	if err != nil {
		log.Fatal(err)
	}
	class, _ := f.Registry().Class(f.Header.Class)
	fmt.Println(class.Name, len(f.Body.Chunks) > 10)
	// Output: CGameCtnChallenge true
}
