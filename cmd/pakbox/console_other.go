//go:build !windows

package main

// ownConsole: a terminal stays when a program in it ends.
func ownConsole() bool { return false }

func prepareConsole() {}
