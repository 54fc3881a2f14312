package items

// What the tests outside of the package look into.
var (
	IconPixels      = iconPixels
	LightmapGrid    = lightmapGrid
	MaterialPhysics = materialPhysics
)

const MaxItemVertices = maxItemVertices
