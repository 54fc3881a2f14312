package check_test

import (
	"context"
	"fmt"

	"pakbox/simutrans/check"
)

// The mistakes of a pakset. This one lacks goods that every game needs.
func ExampleSet_Run() {
	set, err := check.Load(context.Background(), []string{"../../samples/simutrans/good.Sample_Parcels.pak"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(set.Objects), "object")
	for _, f := range set.Run(nil) {
		fmt.Println(f.Rule)
	}
	// Output:
	// 1 object
	// goods
	// goods
	// goods
}
