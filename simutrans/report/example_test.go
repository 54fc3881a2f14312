package report_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"pakbox/simutrans/node"
	"pakbox/simutrans/report"
)

// A site that describes a pakset.
func ExampleWrite() {
	data, err := os.ReadFile("../../samples/simutrans/vehicle.Sample_Tram.pak")
	if err != nil {
		log.Fatal(err)
	}
	file, err := node.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	tram := file.Root.Child(0)
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	err = report.Write(context.Background(), dir, &report.Pakset{Name: "My pakset", Objects: []*node.Node{tram}})
	if err != nil {
		log.Fatal(err)
	}
	_, err = os.Stat(filepath.Join(dir, "index.html"))
	fmt.Println(err)
	// Output: <nil>
}
