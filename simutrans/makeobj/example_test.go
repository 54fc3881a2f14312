package makeobj_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"pakbox/simutrans/makeobj"
)

// The arguments are those of makeobj.
func ExampleFront_Run() {
	var out, errs bytes.Buffer
	front := &makeobj.Front{Stdout: &out, Stderr: &errs}
	code := front.Run(context.Background(), []string{"LIST", "../../samples/simutrans/good.Sample_Parcels.pak"})
	fmt.Println(code, strings.Contains(out.String(), "Sample_Parcels"))
	// Output: 0 true
}
