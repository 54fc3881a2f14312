// Package metin2 has the parts that the pack formats of Metin2 share.
package packname

import "pakbox/archive"

// Root is the folder that the client puts before most of its file names: a folder of the
// computer on which the game was made. The tools of Metin2 call the folder for it outside
// a pack "ymir work"; 42pak's documentation calls it "d_ymir_work".
var Root = archive.Root{Place: "d:/ymir work", Folder: RootParam.Default, Former: "d_ymir_work", Param: RootParam.Name}

// RootParam is the setting that chooses another folder for the root.
var RootParam = archive.Param{
	Name:    "ymir-work",
	Usage:   "the folder that stands for d:/ymir work, . for all files",
	Default: "ymir work",
}
