package main

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

var getConsoleProcessList = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetConsoleProcessList")

// ownConsole reports whether pakbox is alone on its console, so that the window closes
// when pakbox ends. This is so if the user double-clicked pakbox or dropped a file on it.
func ownConsole() bool {
	if getConsoleProcessList.Find() != nil {
		return false
	}
	var pids [2]uint32
	n, _, _ := getConsoleProcessList.Call(uintptr(unsafe.Pointer(&pids[0])), uintptr(len(pids)))
	return n == 1
}

// prepareConsole turns colours on, because old consoles start without them. It has no effect
// without a console, or on one without colours. The code page does not matter:
// Go writes UTF-16 to consoles.
func prepareConsole() {
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		var mode uint32
		if h := windows.Handle(f.Fd()); windows.GetConsoleMode(h, &mode) == nil {
			windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING)
		}
	}
}
