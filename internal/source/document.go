package source

import (
	"context"

	"pakbox/archive"
)

// DocumentFormat is an [archive.Format] whose files are documents: they consist of values
// and not of files. GBX is the only such format.
type DocumentFormat interface {
	archive.Format
	// ReadDocument makes a file from the JSON that [archive.Dumper] wrote.
	ReadDocument(document []byte) ([]byte, error)
	// RecodeParams are the settings of Recode.
	RecodeParams() []archive.Param
	// Recode writes a file of the format in another form.
	Recode(ctx context.Context, a archive.Archive, stage *archive.Stage, opts archive.CreateOptions) error
}
