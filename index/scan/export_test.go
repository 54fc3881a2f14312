package scan

// CommitRows is how many rows are done again at most after a crash.
func CommitRows(n int) { commitRows = n }
