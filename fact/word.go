package fact

// Word is a further name that several facts share. A search for it looks at all these
// facts.
type Word struct {
	Name string
	Doc  string // one sentence for help
}

// Words that facts of more than one subject share.
var (
	Author      = Word{"author", "login or name of the maker; with a time, the author medal"}
	Environment = Word{"env", "environment"}
	Title       = Word{"title", "title pack"}
	Comment     = Word{"comment", "text that the maker wrote"}
	UID         = Word{"uid", "UID of a map, or of the map that was driven"}
	Driver      = Word{"driver", "login or name of the driver"}
	RunTime     = Word{"time", "time of a run"}
)
