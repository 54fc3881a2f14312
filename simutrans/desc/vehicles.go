package desc

// Vehicle is the body of VHCL.
type Vehicle struct {
	Head
	Price             Money
	Capacity          int64
	ClassCapacities   []int64 // Extended
	LoadingTime       Millis
	TopSpeed          Speed
	Weight            Tons // up to version 9
	WeightKilos       Kilos
	AxleLoad          Tons
	Power             Power
	RunningCost       Money
	FixedCost         Money
	OldIntro          OldDate // versions 1 to 4
	OldRetire         OldDate // versions 3 and 4
	Intro, Retire     Date
	Gear              Gear
	Waytype           Waytype
	Sound             Voice
	Engine            Engine
	Length            int64 // in eighths of a tile (sixteenths of its diagonal)
	Prev, Next        int64 // how many couplings of each kind follow
	FreightImageTypes int64
}

func (d *Vehicle) layout(c *coder) {
	switch {
	case c.ext():
		d.extended(c)
	case c.since(6):
		d.modern(c)
	case c.since(1):
		d.old(c)
	default:
		d.first(c)
	}
}

func (d *Vehicle) first(c *coder) {
	num(c, "waytype", u16, &d.Waytype)
	num(c, "capacity", u16, &d.Capacity)
	num(c, "price", u32, &d.Price)
	num(c, "topspeed", u16, &d.TopSpeed)
	num(c, "weight", u16, &d.Weight)
	num(c, "power", u16, &d.Power)
	num(c, "running_cost", u16, &d.RunningCost)
	num(c, "sound", i16, &d.Sound.ID)
	num(c, "prev", u16, &d.Prev)
	num(c, "next", u16, &d.Next)
}

func (d *Vehicle) old(c *coder) {
	num(c, "price", u32, &d.Price)
	num(c, "capacity", u16, &d.Capacity)
	num(c, "topspeed", u16, &d.TopSpeed)
	num(c, "weight", u16, &d.Weight)
	num(c, "power", u16, &d.Power)
	num(c, "running_cost", u16, &d.RunningCost)
	switch {
	case c.since(5):
		num(c, "intro", u16, &d.Intro)
		num(c, "retire", u16, &d.Retire)
	case c.since(3):
		num(c, "intro", u16, &d.OldIntro)
		num(c, "retire", u16, &d.OldRetire)
	default:
		num(c, "intro", u16, &d.OldIntro)
	}
	num(c, "gear", u8, &d.Gear)
	num(c, "waytype", u8, &d.Waytype)
	d.Sound.id(c)
	num(c, "prev", u8, &d.Prev)
	num(c, "next", u8, &d.Next)
	if c.since(2) {
		num(c, "engine_type", u8, &d.Engine)
	}
	d.Sound.file(c)
}

func (d *Vehicle) modern(c *coder) {
	num(c, "price", c.money(12, u32), &d.Price)
	num(c, "capacity", u16, &d.Capacity)
	if c.since(9) {
		loading := u16
		if c.since(13) {
			loading = u32
		}
		num(c, "loading_time", loading, &d.LoadingTime)
	}
	num(c, "topspeed", u16, &d.TopSpeed)
	d.mass(c)
	num(c, "power", u32, &d.Power)
	num(c, "running_cost", c.money(12, u16), &d.RunningCost)
	switch {
	case c.since(11):
		num(c, "fixed_cost", c.money(12, u32), &d.FixedCost)
	case c.since(9):
		num(c, "fixed_cost", u16, &d.FixedCost)
	}
	num(c, "intro", u16, &d.Intro)
	num(c, "retire", u16, &d.Retire)
	num(c, "gear", u16, &d.Gear)
	num(c, "waytype", u8, &d.Waytype)
	d.Sound.id(c)
	d.couplings(c)
	d.Sound.file(c)
}

func (d *Vehicle) mass(c *coder) {
	if c.since(10) {
		num(c, "weight", u32, &d.WeightKilos)
	} else {
		num(c, "weight", u16, &d.Weight)
	}
	if c.since(9) {
		num(c, "axle_load", u16, &d.AxleLoad)
	}
}

func (d *Vehicle) couplings(c *coder) {
	num(c, "engine_type", u8, &d.Engine)
	if c.since(7) {
		num(c, "length", u8, &d.Length)
	}
	num(c, "prev", u8, &d.Prev)
	num(c, "next", u8, &d.Next)
	if c.since(8) {
		num(c, "freight_image_types", u8, &d.FreightImageTypes)
	}
}

// extended reads as much of an Extended vehicle as is known.
func (d *Vehicle) extended(c *coder) {
	c.unknown = c.version.Standard != 11 || c.version.Extended < 6 || c.version.Extended > 7
	num(c, "price", u32, &d.Price)
	list(c, "class_capacity", u8, u16, &d.ClassCapacities)
	num(c, "topspeed", u16, &d.TopSpeed)
	d.mass(c)
	num(c, "power", u32, &d.Power)
	num(c, "running_cost", u16, &d.RunningCost)
	num(c, "intro", u16, &d.Intro)
	num(c, "retire", u16, &d.Retire)
	num(c, "gear", u16, &d.Gear)
	num(c, "waytype", u8, &d.Waytype)
	d.Sound.id(c)
	d.couplings(c)
}

// CityCar is the body of CCAR.
type CityCar struct {
	Head
	Weight              int64 // chance to appear
	TopSpeed            Speed16
	OldIntro, OldRetire OldDate // version 1
	Intro, Retire       Date
}

func (d *CityCar) layout(c *coder) {
	num(c, "distribution_weight", u16, &d.Weight)
	if !c.since(1) {
		return
	}
	num(c, "topspeed", u16, &d.TopSpeed)
	if c.since(2) {
		num(c, "intro", u16, &d.Intro)
		num(c, "retire", u16, &d.Retire)
	} else {
		num(c, "intro", u16, &d.OldIntro)
		num(c, "retire", u16, &d.OldRetire)
	}
}

// Pedestrian is the body of PASS.
type Pedestrian struct {
	Head
	Weight        int64 // chance to appear
	Reserved      int64
	StepsPerFrame int64
	Offset        int64
	Intro, Retire Date
}

func (d *Pedestrian) layout(c *coder) {
	num(c, "distribution_weight", u16, &d.Weight)
	if !c.since(1) {
		num(c, "reserved", u16, &d.Reserved)
		return
	}
	num(c, "steps_per_frame", u16, &d.StepsPerFrame)
	num(c, "offset", u16, &d.Offset)
	if c.since(2) || c.ext() {
		num(c, "intro", u16, &d.Intro)
		num(c, "retire", u16, &d.Retire)
	}
}
