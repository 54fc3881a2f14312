package items_test

import (
	"context"
	"fmt"
	"log"

	"pakbox/nadeo/items"
)

func ExampleOpen() {
	item, err := items.Open(context.Background(), "../../samples/trackmania/Sample.Item.Gbx")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(item.Name(), "by", item.Author())
	// Output: Sample by Ada
}
