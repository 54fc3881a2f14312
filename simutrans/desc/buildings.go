package desc

import "fmt"

// Building is the body of BUIL.
type Building struct {
	Head
	GameType         int64 // an older notion of Type, gone since version 12
	Reserved         int64
	Type             BuildingType
	Level            int64
	Extra            int64 // way type, headquarters level, build time, clusters: by Type
	SizeX, SizeY     Tiles
	Layouts          int64
	Climates         Climates
	Regions          int64 // Extended
	Enables          Enables
	Flags            int64 // 1 no info, 2 no construction, 4 needs ground
	Chance           int64
	Intro, Retire    Date
	AnimationTime    Millis
	Capacity         int64
	Maintenance      Money
	Price            Money
	Underground      int64 // 0 no, 1 only, 2 both
	Preservation     Date
	Clearance        int64
	extendedBuilding // zero in Standard
}

type extendedBuilding struct {
	ControlTower           int64
	Population, Jobs, Mail int64
	Radius                 int64
	PassengerClasses       []int64
	JobClasses             []int64
	PierMasks              [3]int64
	PierFlags              int64
}

func (d *Building) layout(c *coder) {
	if !c.since(1) {
		d.first(c)
		return
	}
	if !c.since(12) {
		num(c, "game_type", u8, &d.GameType)
	}
	num(c, "type", u8, &d.Type)
	num(c, "level", u16, &d.Level)
	num(c, "extra_data", u32, &d.Extra)
	num(c, "size_x", u16, &d.SizeX)
	num(c, "size_y", u16, &d.SizeY)
	num(c, "layouts", u8, &d.Layouts)
	if c.since(4) {
		num(c, "climates", u16, &d.Climates)
	}
	d.accepts(c)
	num(c, "flags", u8, &d.Flags)
	num(c, "chance", u8, &d.Chance)
	if c.since(2) {
		num(c, "intro", u16, &d.Intro)
		num(c, "retire", u16, &d.Retire)
	}
	if c.since(5) {
		num(c, "animation_time", u16, &d.AnimationTime)
	}
	d.station(c)
	if c.ext() {
		d.extended(c)
	}
}

func (d *Building) first(c *coder) {
	num(c, "game_type", u16, &d.GameType)
	num(c, "reserved", u16, &d.Reserved)
	num(c, "type", u32, &d.Type)
	num(c, "level", u32, &d.Level)
	num(c, "extra_data", u32, &d.Extra)
	num(c, "size_x", u16, &d.SizeX)
	num(c, "size_y", u16, &d.SizeY)
	num(c, "layouts", u32, &d.Layouts)
	num(c, "flags", u32, &d.Flags)
}

func (d *Building) accepts(c *coder) {
	switch {
	case c.ext():
		num(c, "regions", u16, &d.Regions)
		num(c, "enables", u16, &d.Enables)
	case c.since(3):
		num(c, "enables", u8, &d.Enables)
	}
}

// station is what version 8 added for stations, and what came after it.
func (d *Building) station(c *coder) {
	if c.since(8) {
		num(c, "capacity", u16, &d.Capacity)
		num(c, "maintenance", c.money(11, i32), &d.Maintenance)
		num(c, "price", c.money(11, i32), &d.Price)
	}
	if c.since(7) {
		num(c, "allow_underground", u8, &d.Underground)
	}
	if c.since(10) {
		num(c, "preservation", u16, &d.Preservation)
	}
	if c.since(12) {
		num(c, "height_clearance", u8, &d.Clearance)
	}
}

func (d *Building) extended(c *coder) {
	c.unknown = c.version.Standard != 9 || c.version.Extended < 5 || c.version.Extended > 6
	num(c, "is_control_tower", u8, &d.ControlTower)
	num(c, "population_and_visitor_demand_capacity", u16, &d.Population)
	num(c, "employment_capacity", u16, &d.Jobs)
	num(c, "mail_demand_and_production_capacity", u16, &d.Mail)
	num(c, "radius", u32, &d.Radius)
	list(c, "class_proportions", u8, u16, &d.PassengerClasses)
	list(c, "class_proportions_jobs", u8, u16, &d.JobClasses)
	if c.version.Extended >= 6 {
		for i := range d.PierMasks {
			num(c, fmt.Sprintf("pier_mask_%d", i), u32, &d.PierMasks[i])
		}
		num(c, "pier_needed", u8, &d.PierFlags)
	}
}

// Tile is the body of TILE.
type Tile struct {
	Head
	Reserved1, Reserved2 int64
	Phases               int64
	Index                int64
	Seasons              int64
}

func (d *Tile) layout(c *coder) {
	if !c.since(1) {
		num(c, "reserved_1", u16, &d.Reserved1)
		num(c, "reserved_2", u16, &d.Reserved2)
	}
	num(c, "phases", u16, &d.Phases)
	num(c, "index", u16, &d.Index)
	if c.since(2) {
		num(c, "seasons", u8, &d.Seasons)
	}
}

// Factory is the body of FACT.
type Factory struct {
	Head
	Placement           Placement
	Reserved            int64
	Productivity, Range int64
	Weight              int64 // chance to be built
	Color               int64 // on the map
	Fields              int64 // whether there are any
	Suppliers, Products int64 // how many children of each kind follow
	PaxLevel            int64

	ExpandProbability, ExpandMinimum      int64
	ExpandRange, ExpandTimes              int64
	ElectricBoost, PaxBoost, MailBoost    Factor
	ElectricDemand, PaxDemand, MailDemand int64

	ElectricityProducer int64
	SoundInterval       Millis
	Sound               Voice
	Rotations           int64 // how many of Smoke are in use
	Smoke               [4]SmokePlace
	SmokeUplift         int64
	SmokeLifetime       Millis

	extendedFactory // zero in Standard
}

// SmokePlace is where smoke rises from one rotation of a factory.
type SmokePlace struct{ TileX, TileY, OffsetX, OffsetY int64 }

type extendedFactory struct {
	ElectricPercent     int64
	Upgrades            int64
	MaxDistanceConsumer Tiles
	FieldOutputDivider  int64
	MaxDistanceSupplier Tiles
}

// Undefined is what a factory's demands are if the .dat does not say.
const Undefined = 0xFFFF

func (d *Factory) layout(c *coder) {
	num(c, "placement", u16, &d.Placement)
	if !c.since(1) {
		num(c, "reserved", u16, &d.Reserved)
	}
	num(c, "productivity", u16, &d.Productivity)
	num(c, "range", u16, &d.Range)
	num(c, "distribution_weight", u16, &d.Weight)
	if c.since(2) {
		num(c, "color", u8, &d.Color)
		num(c, "fields", u8, &d.Fields)
	} else {
		num(c, "color", u16, &d.Color)
	}
	num(c, "suppliers", u16, &d.Suppliers)
	num(c, "products", u16, &d.Products)
	if c.ext() {
		d.extended(c)
		return
	}
	if c.since(1) {
		num(c, "pax_level", u16, &d.PaxLevel)
	}
	if c.since(3) {
		d.expansion(c)
		num(c, "electric_demand", u16, &d.ElectricDemand)
		num(c, "pax_demand", u16, &d.PaxDemand)
		num(c, "mail_demand", u16, &d.MailDemand)
	}
	d.senses(c)
}

func (d *Factory) expansion(c *coder) {
	num(c, "expand_probability", u16, &d.ExpandProbability)
	num(c, "expand_minimum", u16, &d.ExpandMinimum)
	num(c, "expand_range", u16, &d.ExpandRange)
	num(c, "expand_times", u16, &d.ExpandTimes)
	num(c, "electric_boost", u16, &d.ElectricBoost)
	num(c, "pax_boost", u16, &d.PaxBoost)
	num(c, "mail_boost", u16, &d.MailBoost)
}

// senses is what one hears and sees of a factory.
func (d *Factory) senses(c *coder) {
	if c.since(6) {
		num(c, "electricity_producer", u8, &d.ElectricityProducer)
	}
	if c.since(4) {
		num(c, "sound_interval", u32, &d.SoundInterval)
		d.Sound.id(c)
	}
	if c.since(5) {
		num(c, "smoke_rotations", u8, &d.Rotations)
		for i := range d.Smoke {
			s := &d.Smoke[i]
			num(c, fmt.Sprintf("smoke_%d_tile_x", i), i16, &s.TileX)
			num(c, fmt.Sprintf("smoke_%d_tile_y", i), i16, &s.TileY)
			num(c, fmt.Sprintf("smoke_%d_offset_x", i), i16, &s.OffsetX)
			num(c, fmt.Sprintf("smoke_%d_offset_y", i), i16, &s.OffsetY)
		}
		num(c, "smoke_uplift", u16, &d.SmokeUplift)
		num(c, "smoke_lifetime", u16, &d.SmokeLifetime)
	}
	if c.since(4) {
		d.Sound.file(c)
	}
}

func (d *Factory) extended(c *coder) {
	c.unknown = c.version.Standard != 4 || c.version.Extended != 4
	num(c, "electricity_percent", u16, &d.ElectricPercent)
	num(c, "upgrades", u8, &d.Upgrades)
	d.expansion(c)
	num(c, "electric_demand", u16, &d.ElectricDemand)
	num(c, "max_distance_to_consumer", u16, &d.MaxDistanceConsumer)
	num(c, "sound_interval", u32, &d.SoundInterval)
	d.Sound.id(c)
	num(c, "field_output_divider", u16, &d.FieldOutputDivider)
	num(c, "max_distance_to_supplier", u16, &d.MaxDistanceSupplier)
}

// Supplier is the body of FSUP: one good a factory needs. It has no version;
// ancient files end before the last word.
type Supplier struct {
	Head
	Capacity    int64
	Count       int64 // how many suppliers are wanted
	Consumption Factor
}

func (d *Supplier) layout(c *coder) {
	num(c, "capacity", u16, &d.Capacity)
	num(c, "count", u16, &d.Count)
	num(c, "consumption", u16, &d.Consumption)
}

// Product is the body of FPRO: one good a factory makes.
type Product struct {
	Head
	Capacity int64
	Factor   Factor
	Reserved int64
}

func (d *Product) layout(c *coder) {
	num(c, "capacity", u16, &d.Capacity)
	if c.since(1) {
		num(c, "factor", u16, &d.Factor)
	} else {
		num(c, "reserved", u16, &d.Reserved)
	}
}

// Smoke is the body of FSMO: where a factory of older versions smokes.
type Smoke struct {
	Head
	TileX, TileY, OffsetX, OffsetY int64
	Speed                          int64
}

func (d *Smoke) layout(c *coder) {
	num(c, "tile_x", i16, &d.TileX)
	num(c, "tile_y", i16, &d.TileY)
	num(c, "offset_x", i16, &d.OffsetX)
	num(c, "offset_y", i16, &d.OffsetY)
	num(c, "speed", i16, &d.Speed)
}

// FieldGroup is the body of FFIE: the fields around a factory.
type FieldGroup struct {
	Head
	Snow               int64
	Probability        int64
	Production         int64
	Max, Min, StartNum int64
	Classes            int64
}

func (d *FieldGroup) layout(c *coder) {
	switch c.version.Standard {
	case 1:
		num(c, "has_snow", u8, &d.Snow)
		num(c, "probability_to_spawn", u16, &d.Probability)
		num(c, "production_per_field", u16, &d.Production)
		num(c, "max_fields", u16, &d.Max)
		num(c, "min_fields", u16, &d.Min)
	case 2, 3:
		num(c, "probability_to_spawn", u16, &d.Probability)
		num(c, "max_fields", u16, &d.Max)
		num(c, "min_fields", u16, &d.Min)
		if c.since(3) {
			num(c, "start_fields", u16, &d.StartNum)
		}
		num(c, "classes", u16, &d.Classes)
	default:
		c.unknown = true
	}
}

// FieldClass is the body of FFCL: one kind of field.
type FieldClass struct {
	Head
	Snow       int64
	Production int64
	Capacity   int64
	Weight     int64
}

func (d *FieldClass) layout(c *coder) {
	if c.version.Standard != 1 {
		c.unknown = true
		return
	}
	num(c, "has_snow", u8, &d.Snow)
	num(c, "production_per_field", u16, &d.Production)
	num(c, "storage_capacity", u16, &d.Capacity)
	num(c, "spawn_weight", u16, &d.Weight)
}
