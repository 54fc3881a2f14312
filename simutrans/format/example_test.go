package format_test

import (
	"fmt"
	"log"

	"pakbox/simutrans/format"
	"pakbox/simutrans/object"
)

// A source with the keys as makeobj expects them. The space before the value belongs to it.
func ExampleSource() {
	target, err := object.LookupTarget(object.DefaultTarget)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", format.Source([]byte("NAME = Parcels\nObj=good\nvalue=85\n"), target))
	// Output:
	// name= Parcels
	// obj=good
	// value=85
}
