package game

import "pakbox/gbx"

// hasPictures returns 1 if a frame of the lightmap has a picture. Then a cache follows.
func hasPictures(_ *gbx.Coder, frames []CGameCtnChallengeLightmapFrame) int {
	for i := range frames {
		f := &frames[i]
		if len(f.Image1)+len(f.Image2)+len(f.Image3) > 0 {
			return 1
		}
	}
	return 0
}
