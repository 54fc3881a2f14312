package simutrans_test

import (
	"context"
	"fmt"

	"pakbox/archive"
	"pakbox/simutrans"
)

// The objects of a file, and a value of one.
func Example() {
	file, close, err := archive.OpenFile("../samples/simutrans/vehicle.Sample_Tram.pak")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer close.Close()
	a, err := simutrans.Open(context.Background(), file, archive.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range a.Objects() {
		fmt.Println(o.Folder)
	}
	values, err := a.Get("vehicle.Sample_Tram/topspeed")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(values[0].Text, "km/h")
	// Output:
	// vehicle.Sample_Tram
	// 60 km/h
}
