package texture

import "encoding/binary"

// A block of BC1 to BC5 has two colours, or two values of one channel. Each pixel has a
// position between the two.

// colours565 expands the two colours of a block to eight bits per channel.
func colours565(data []byte) (c [2][3]int, raw [2]uint16) {
	for i := range c {
		v := binary.LittleEndian.Uint16(data[2*i:])
		raw[i] = v
		r, g, b := int(v>>11), int(v>>5&0x3F), int(v&0x1F)
		c[i] = [3]int{r<<3 | r>>2, g<<2 | g>>4, b<<3 | b>>2}
	}
	return c, raw
}

// colourBlock decodes colours. If three is set there are three colours, and the fourth
// index is transparent black.
func colourBlock(out *[16][4]uint8, data []byte, three bool) {
	c, raw := colours565(data)
	var palette [4][4]uint8
	mix := func(a, b, of int) (px [4]uint8) {
		for i := range 3 {
			px[i] = uint8((a*c[0][i] + b*c[1][i]) / of)
		}
		px[3] = 255
		return px
	}
	palette[0], palette[1] = mix(1, 0, 1), mix(0, 1, 1)
	if three && raw[0] <= raw[1] {
		palette[2] = mix(1, 1, 2)
	} else {
		palette[2], palette[3] = mix(2, 1, 3), mix(1, 2, 3)
	}
	indices := binary.LittleEndian.Uint32(data[4:])
	for i := range out {
		out[i] = palette[indices>>(2*i)&3]
	}
}

func decodeBC1(out *[16][4]uint8, data []byte) { colourBlock(out, data, true) }

func decodeBC2(out *[16][4]uint8, data []byte) {
	colourBlock(out, data[8:], false)
	alpha := binary.LittleEndian.Uint64(data)
	for i := range out {
		out[i][3] = uint8(alpha>>(4*i)&0xF) * 17
	}
}

func decodeBC3(out *[16][4]uint8, data []byte) {
	colourBlock(out, data[8:], false)
	channelBlock(out, data, 3, false)
}

func decodeBC4(out *[16][4]uint8, data []byte)       { greyBlock(out, data, false) }
func decodeBC4Signed(out *[16][4]uint8, data []byte) { greyBlock(out, data, true) }

func greyBlock(out *[16][4]uint8, data []byte, signed bool) {
	channelBlock(out, data, 0, signed)
	for i := range out {
		out[i] = [4]uint8{out[i][0], out[i][0], out[i][0], 255}
	}
}

func decodeBC5(out *[16][4]uint8, data []byte)       { twoChannels(out, data, false) }
func decodeBC5Signed(out *[16][4]uint8, data []byte) { twoChannels(out, data, true) }

// twoChannels decodes red and green; blue is missing.
func twoChannels(out *[16][4]uint8, data []byte, signed bool) {
	*out = [16][4]uint8{}
	for i := range out {
		out[i][3] = 255
	}
	channelBlock(out, data, 0, signed)
	channelBlock(out, data[8:], 1, signed)
}

// channelBlock decodes one channel. Signed values, -127 to 127, are shifted to 0 to 255.
func channelBlock(out *[16][4]uint8, data []byte, channel int, signed bool) {
	a, b, low := int(data[0]), int(data[1]), 0
	if signed {
		a, b, low = max(int(int8(data[0])), -127)+128, max(int(int8(data[1])), -127)+128, 1
	}
	values := [8]int{a, b}
	if a > b {
		for i := 1; i < 7; i++ {
			values[i+1] = ((7-i)*a + i*b) / 7
		}
	} else {
		for i := 1; i < 5; i++ {
			values[i+1] = ((5-i)*a + i*b) / 5
		}
		values[6], values[7] = low, 255
	}
	var word [8]byte
	copy(word[:], data[2:8])
	indices := binary.LittleEndian.Uint64(word[:])
	for i := range out {
		out[i][channel] = uint8(values[indices>>(3*i)&7])
	}
}
