// Package serve has the commands that run until they are interrupted: the explorer in the
// browser, archives as folders, and the interfaces for other programs. It is the only part
// of the command line that opens a network socket.
package serve

import "pakbox/cmd/internal/cli/kit"

// Commands lists the commands of this package.
var Commands = []kit.Command{
	{Name: "serve", Make: serveCommand}, {Name: "mount", Make: mountCommand},
	{Name: "ask", Make: askCommand}, {Name: "mcp", Make: mcpCommand},
}
