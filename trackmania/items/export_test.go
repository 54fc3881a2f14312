package items

// IconPixels is what the tests outside of the package look into.
var IconPixels = iconPixels
