package proto_test

import (
	"context"
	"fmt"
	"strings"

	"pakbox/archive"
	"pakbox/metin2/proto"
)

// A value of a table that was written as CSV. The client's file and the texts of a server
// open in the same way.
func Example() {
	text := "vnum,name,locale_name,type\n19,sword+9,Sword+9,ITEM_WEAPON\n"
	in := archive.Input{ReaderAt: strings.NewReader(text), Size: int64(len(text)), Name: "item_proto.csv"}
	a, err := proto.Open(context.Background(), in, archive.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	values, err := a.Get("19/type")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(values[0].Text)
	// Output: ITEM_WEAPON
}
