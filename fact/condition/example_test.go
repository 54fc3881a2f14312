package condition_test

import (
	"fmt"

	"pakbox/fact"
	"pakbox/fact/condition"
)

// A condition on a time, as users write it after --where.
func ExampleParse() {
	c, err := condition.Parse("author_time<0:45")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, ms := range []int64{36217, 61000} {
		time := fact.Make("author_time", "Author medal", fact.Time, ms, "")
		holds, err := c.Holds(time)
		fmt.Println(time.Text(), holds, err)
	}
	// Output:
	// 0:36.217 true <nil>
	// 1:01.000 false <nil>
}
