package compile_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"pakbox/simutrans/compile"
)

// Run compiles sources, like makeobj.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	result, err := compile.Run(context.Background(), compile.Options{
		Sources: []string{"../../samples/simutrans/parcels.dat"}, Out: dir + "/",
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, out := range result.Outputs {
		fmt.Println(filepath.Base(out.Path))
	}
	fmt.Println(len(result.Problems), "problems")
	// Output:
	// good.Sample_Parcels.pak
	// 0 problems
}
