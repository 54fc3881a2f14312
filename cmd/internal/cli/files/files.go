// Package files has the commands that work on files of every format, one file for each
// command. A command is a thin layer: it turns arguments into questions to package answer,
// or into calls of package archive, and the results into text or JSON. It knows no format;
// the registry of the run does.
package files

import "pakbox/cmd/internal/cli/kit"

// Commands lists the commands of this package, in the order of the help.
var Commands = []kit.Command{
	{Name: "info", Make: infoCommand}, {Name: "ls", Make: lsCommand}, {Name: "cat", Make: catCommand},
	{Name: "extract", Make: extractCommand}, {Name: "verify", Make: verifyCommand}, {Name: "diff", Make: diffCommand},
	{Name: "dump", Make: dumpCommand}, {Name: "get", Make: getCommand}, {Name: "query", Make: queryCommand},
	{Name: "grep", Make: grepCommand},
	{Name: "create", Make: createCommand}, {Name: "convert", Make: convertCommand}, {Name: "put", Make: putCommand},
	{Name: "rm", Make: rmCommand}, {Name: "mv", Make: mvCommand}, {Name: "set", Make: setCommand},
	{Name: "edit", Make: editCommand},
}
