//go:build wine

package main

import _ "unsafe" // for go:linkname

// Wine lacks the deletion that os.RemoveAll asks for, and answers with an error
// from which Go does not fall back to the older way. The variable is Go's own
// switch to that way.
//
//go:linkname deleteTheOldWay internal/syscall/windows.TestDeleteatFallback
var deleteTheOldWay bool

func init() { deleteTheOldWay, starts = true, 3 }
