package ask_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pakbox/fact"
	"pakbox/fact/condition"
	"pakbox/index"
	"pakbox/index/ask"
)

// A condition finds the files in an index that --where chooses from a table.
func TestSameAsWhere(t *testing.T) {
	maps := []row{
		{"name": "$f00Sun$fffset", "author_zone": "World|Europe", "laps": 3, "medals_gold": 29_999, "password": true},
		{"name": "sunset", "author_zone": "world|europe|$o$i", "laps": 0, "medals_gold": 30_000},
		{"name": "Élan 100%", "author_zone": "", "medals_gold": 0, "thumbnail_size": 300_000},
		{"name": "", "author_zone": "Wörld", "laps": 12, "thumbnail_size": 300 << 10, "has_lightmap": true},
		{"name": "_x_", "decoration": "48x48Day", "comments": "it's $$5"},
	}
	x := made(t, maps...)
	table, _ := index.TableNamed("maps")
	for _, text := range []string{
		"name=sunset", "name=SUNSET", "name=$0f0sunset", "name!=sunset", "name~sun", "name=s*t", "name=*", "name=elan 100%", "name~%", "name=%", "name~_", "name=", "name!=",
		"name<f", "name>=sunset", "author_zone=world*", "author_zone~EURO", "author_zone=world", "author_zone!=world", "author_zone!=",
		"laps=3", "laps!=3", "laps>0", "laps<=3", "laps=2.5", "laps>2.5", "medals.gold<0:30", "medals.gold=0:30.000", "medals.gold>=29.999", "medals_gold!=30ms",
		"password=yes", "password=no", "password!=true", "has_lightmap=1", "thumbnail_size=300KB", "thumbnail_size>300k", "thumbnail_size>=300kib", "thumbnail_size<0.3mb",
		"decoration=48X48day", "comments~$5", "comments=it's *",
	} {
		c, err := condition.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(table.Columns(), func(column index.Column) bool { return column.Answers(c.Field) })
		var want []string
		for i, m := range maps {
			rows := &index.Rows{}
			rows.Add("maps", m)
			value := rows.Row(table, 0)[at]
			ok, err := c.Holds(fact.Value{Fact: table.Columns()[at].Fact, Value: value})
			if err != nil {
				t.Fatal(text, err)
			}
			if ok {
				want = append(want, fmt.Sprint(i))
			}
		}
		var got []string
		a, _, err := x.Find(context.Background(), ask.Search{Words: []string{text}, Fields: []string{"path"}})
		if err != nil {
			t.Fatal(text, err)
		}
		for line := range strings.Lines(lines(t, a, nil)) {
			got = append(got, strings.TrimSuffix(strings.TrimPrefix(line, "maps/0"), ".Map.Gbx\n"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: find gives %v, --where %v", text, got, want)
		}
	}
}
