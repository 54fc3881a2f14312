package nadeo

import (
	"context"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/nadeo/items"
	"pakbox/nadeo/lint"
)

// ItemLint is the question what in an item makes the game crash, or is dropped by it.
var ItemLint = question.New(&room, "item.lint", "problems of items in Trackmania (2020)", func(ctx context.Context, at *question.At, p itemLintParams) (*Linted, error) {
	return atItem(ctx, at, func(m *items.Model) (*Linted, error) {
		return &Linted{append([]finding.Finding{}, lint.Item(m, p.Collection)...)}, nil
	})
})

// itemLintParams have the collection of the maps for the item.
type itemLintParams struct {
	Collection string `json:"collection" doc:"collection of the map that the item is for, such as BlueBay; by default that of the item"`
}

// atItem opens the file of a question as an item and calls look with it.
func atItem[A any](ctx context.Context, at *question.At, look func(m *items.Model) (A, error)) (A, error) {
	return OpenGBX(ctx, at, func(_ *source.Source, f *gbx.File) (answer A, err error) {
		m, err := items.ModelOf(f)
		if err != nil {
			return answer, err
		}
		return look(m)
	})
}
