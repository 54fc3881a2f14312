package fact_test

import (
	"fmt"

	"pakbox/fact"
)

// A song is what the table below is about.
type song struct {
	title  string
	length int64 // milliseconds
}

// A table declares the facts of one kind of file. Its record is a card for people and JSON
// for programs.
func Example() {
	table := fact.NewTable("song", "A song.", []fact.Row[song]{
		{Name: "title", Label: "Title", Kind: fact.Text, Doc: "title of the song", Get: func(s song) any { return s.title }},
		{Name: "length", Label: "Length", Kind: fact.Time, Doc: "length of the song", Get: func(s song) any { return s.length }},
	})
	record := table.Of(song{"Road", 215_400})
	for _, v := range record {
		fmt.Println(v.Label, v.Text())
	}
	line, err := record.MarshalJSON()
	fmt.Println(string(line), err)
	// Output:
	// Title Road
	// Length 3:35.400
	// {"title":"Road","length":215400} <nil>
}
