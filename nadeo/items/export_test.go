package items

// IconPixels is exported for the tests outside of the package.
var IconPixels = iconPixels
