package page_test

import (
	"context"
	"testing"

	"pakbox/cmd/internal/page"
	"pakbox/fault"
)

// An index in a served folder may come from an attacker: it is listed, but opened only on
// request.
func TestPlantedIndex(t *testing.T) {
	opened := 0
	a := folder(t, map[string][]byte{"planted.pakbox.sqlite": []byte("SQLite format 3\x00, and a view without end"), "a.txt": []byte("text")}, func(o *page.Options) {
		o.OpenIndex = func(context.Context, string) (page.Collection, error) {
			opened++
			return nil, fault.InFile(fault.New(fault.Unsupported, "it was opened"), "/home/somebody/planted.pakbox.sqlite")
		}
	})
	a.expect([]expected{
		{"home", ".indexes", `["files/planted.pakbox.sqlite"]`},
		{"children?path=files", ".children | length", "2"},
		{"what?path=files/planted.pakbox.sqlite", ".kind", `"file"`},
	})
	a.ask("tiles?path=files/planted.pakbox.sqlite")
	a.refuses([]refused{{"collection", nil, page.Unusable, "no index is open"}, {"find?q=x", nil, page.Unusable, "no index is open"}})
	if opened != 0 {
		t.Errorf("the index was opened %d times without a request", opened)
	}
	a.refuses([]refused{{"collection?index=files/planted.pakbox.sqlite", nil, page.Unusable, `"files/planted.pakbox.sqlite: it was opened"`}})
}
