package starter_test

import (
	"fmt"
	"log"
	"strings"

	"pakbox/simutrans/starter"
)

// The source and the picture of a new object.
func ExampleObject() {
	source, picture, file, err := starter.Object("building", "My_House", 64)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(file, strings.Contains(string(source), "name=My_House"), len(picture) > 0)
	// Output: building_My_House true true
}
