package gltf

import "encoding/json"

// document is the JSON of a glTF file, with the members that are used here. A pointer is
// nil if the value is absent.
type document struct {
	Asset     asset         `json:"asset"`
	Required  []string      `json:"extensionsRequired,omitempty"`
	Scene     *int          `json:"scene,omitempty"`
	Scenes    []sceneObject `json:"scenes"`
	Nodes     []node        `json:"nodes"`
	Meshes    []meshObject  `json:"meshes"`
	Materials []material    `json:"materials,omitempty"`
	Accessors []accessor    `json:"accessors"`
	Views     []view        `json:"bufferViews"`
	Buffers   []buffer      `json:"buffers"`
	Extension struct {
		Lights struct {
			Lights []light `json:"lights"`
		} `json:"KHR_lights_punctual,omitzero"`
	} `json:"extensions,omitzero"`
}

// lightsExtension is Khronos' extension for lights.
const lightsExtension = "KHR_lights_punctual"

type light struct {
	Type      string      `json:"type"`
	Color     *[3]float64 `json:"color,omitempty"`
	Intensity *float64    `json:"intensity,omitempty"`
	Spot      struct {
		Inner float64  `json:"innerConeAngle"` // angle from the axis, in radians
		Outer *float64 `json:"outerConeAngle"`
	} `json:"spot,omitzero"`
}

type asset struct {
	Version    string `json:"version"`
	MinVersion string `json:"minVersion,omitempty"`
	Generator  string `json:"generator"`
}

type sceneObject struct {
	Name  string `json:"name,omitempty"`
	Nodes []int  `json:"nodes"`
}

type node struct {
	Name        string       `json:"name,omitempty"`
	Mesh        *int         `json:"mesh,omitempty"`
	Skin        *int         `json:"skin,omitempty"`
	Children    []int        `json:"children,omitempty"`
	Matrix      *[16]float32 `json:"matrix,omitempty"`
	Translation *[3]float32  `json:"translation,omitempty"`
	Rotation    *[4]float32  `json:"rotation,omitempty"`
	Scale       *[3]float32  `json:"scale,omitempty"`
	Extras      extras       `json:"extras,omitzero"`
	Extension   struct {
		Light struct {
			Light *int `json:"light"`
		} `json:"KHR_lights_punctual,omitzero"`
	} `json:"extensions,omitzero"`
}

// extras holds the role and level of a node, and the game's material for a material.
type extras struct {
	Role  string `json:"role,omitempty"`
	Level int    `json:"level,omitempty"`
	Link  string `json:"link,omitempty"`
}

// UnmarshalJSON ignores the extras of other programs, which may have any form.
func (e *extras) UnmarshalJSON(data []byte) error {
	type plain extras
	var p plain
	if json.Unmarshal(data, &p) == nil {
		*e = extras(p)
	}
	return nil
}

type meshObject struct {
	Name       string      `json:"name,omitempty"`
	Primitives []primitive `json:"primitives"`
}

type primitive struct {
	Attributes attributes `json:"attributes"`
	Indices    *int       `json:"indices,omitempty"`
	Material   *int       `json:"material,omitempty"`
	Mode       *int       `json:"mode,omitempty"` // nil means triangles
}

// The modes are OpenGL's numbers.
const (
	modeLine      = 3 // a line through all positions
	modeTriangles = 4
)

type attributes struct {
	Position  *int `json:"POSITION"`
	Normal    *int `json:"NORMAL,omitempty"`
	TexCoord0 *int `json:"TEXCOORD_0,omitempty"`
	TexCoord1 *int `json:"TEXCOORD_1,omitempty"`
	Color     *int `json:"COLOR_0,omitempty"`
}

type material struct {
	Name   string `json:"name"`
	PBR    pbr    `json:"pbrMetallicRoughness"`
	Alpha  string `json:"alphaMode,omitempty"`
	Extras extras `json:"extras,omitzero"`
}

type pbr struct {
	Color     *[4]float32 `json:"baseColorFactor,omitempty"`
	Metallic  float32     `json:"metallicFactor"`
	Roughness float32     `json:"roughnessFactor"`
}

type accessor struct {
	View       *int            `json:"bufferView"`
	Offset     int64           `json:"byteOffset,omitempty"`
	Component  int             `json:"componentType"`
	Normalized bool            `json:"normalized,omitempty"`
	Count      int64           `json:"count"`
	Type       string          `json:"type"`
	Min        []float32       `json:"min,omitempty"`
	Max        []float32       `json:"max,omitempty"`
	Sparse     json.RawMessage `json:"sparse,omitempty"`
}

// Component types and targets are OpenGL's numbers.
const (
	typeByte   = 5121
	typeUint16 = 5123
	typeUint32 = 5125
	typeFloat  = 5126

	targetVertices = 34962
	targetIndices  = 34963
)

type view struct {
	Buffer int   `json:"buffer"`
	Offset int64 `json:"byteOffset"`
	Length int64 `json:"byteLength"`
	Stride int64 `json:"byteStride,omitempty"`
	Target int   `json:"target"`
}

type buffer struct {
	URI    *string `json:"uri,omitempty"`
	Length int64   `json:"byteLength"`
}
