// Package metin2 is what the pack formats of Metin2 share.
package metin2

import "pakbox/archive"

// Root is where the client looks for most of its files: a folder of the machine
// that the game was made on. The folder that stands for it outside a pack is
// called as 42pak's documentation calls it.
var Root = archive.Root{Place: "d:/ymir work", Folder: "d_ymir_work", Param: RootParam.Name}

// RootParam is the setting that chooses another folder for the root.
var RootParam = archive.Param{
	Name:    "ymir-work",
	Usage:   "the folder that stands for d:/ymir work, . for all files",
	Default: "d_ymir_work",
}
