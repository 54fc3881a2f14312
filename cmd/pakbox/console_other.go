//go:build !windows

package main

// ownConsole is false: outside Windows a terminal stays open when a program in it ends.
func ownConsole() bool { return false }

func prepareConsole() {}
