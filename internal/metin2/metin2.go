// Package metin2 is what the pack formats of Metin2 share.
package metin2

import "pakbox/archive"

// Root is where the client looks for most of its files: a folder of the machine
// that the game was made on. The tools of Metin2 call the folder that stands for
// it outside a pack "ymir work"; 42pak's documentation calls it "d_ymir_work".
var Root = archive.Root{Place: "d:/ymir work", Folder: RootParam.Default, Former: "d_ymir_work", Param: RootParam.Name}

// RootParam is the setting that chooses another folder for the root.
var RootParam = archive.Param{
	Name:    "ymir-work",
	Usage:   "the folder that stands for d:/ymir work, . for all files",
	Default: "ymir work",
}
