package lint_test

import (
	"context"
	"fmt"
	"log"

	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
)

// Map returns what games refuse, drop or show wrongly.
func ExampleMap() {
	m, err := maps.Open(context.Background(), "../../samples/trackmania/Sample.Map.Gbx")
	if err != nil {
		log.Fatal(err)
	}
	m.SetMedals(maps.Medals{Author: 10_000, Gold: 41_000, Silver: 20_000, Bronze: 16_000})
	for _, f := range lint.Map(m, 0) {
		fmt.Println(f.Severity, f.Rule)
	}
	// Output: warning medal_order
}
