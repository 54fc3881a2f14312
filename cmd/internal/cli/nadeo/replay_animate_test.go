package nadeo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
	"pakbox/internal/testkit/peer"
	"pakbox/nadeo/nadeotest/runsample"
	"pakbox/nadeo/picture"
)

// Without ffmpeg, a video is refused with the reason before
// anything is read. If ffmpeg fails, its message is the reason.
func TestVideoNeedsFFmpeg(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	a := kit.New(context.Background(), kit.Env{})
	out := filepath.Join(dir, "f.MP4")
	err := writeVideo(context.Background(), a, a.At("missing.Ghost.Gbx"), nadeo.AnimateParams{}, kit.Output{Out: out})
	if !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "MP4 videos are made by the program ffmpeg, which is not installed") {
		t.Errorf(`err = %v; want err matching fault.Unsupported, err with "MP4 videos are made by the program ffmpeg, which is not installed"`, err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a file was written")
	}
}

// Videos hold all pictures of a film, in a codec and colours that browsers play, with
// even sides; a film of odd sides gets a row and a column more.
func TestVideo(t *testing.T) {
	peer.Program(t, "ffmpeg", "ffmpeg")
	probe := peer.Program(t, "ffprobe", "ffmpeg")
	dir := t.TempDir()
	ghost := filepath.Join(dir, "a.Ghost.Gbx")
	data, err := runsample.Straight(2900).Ghost().Encode()
	if err == nil {
		err = os.WriteFile(ghost, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	a := kit.New(t.Context(), kit.Env{Formats: pakbox.Formats(), Getenv: os.Getenv, Stdout: io.Discard, Stderr: io.Discard})
	for kind, codec := range map[string]string{"mp4": "h264", "webm": "vp9"} {
		t.Run(kind, func(t *testing.T) {
			out := filepath.Join(dir, "film."+kind)
			params := nadeo.AnimateParams{Hz: 10, Size: "321x201"}
			film, told, err := nadeo.Film(t.Context(), a.At(ghost), params)
			if err != nil {
				t.Fatal(err)
			}
			if err := writeVideo(t.Context(), a, a.At(ghost), params, kit.Output{Out: out}); err != nil {
				t.Fatal(kind, err)
			}
			said, err := exec.Command(probe, "-v", "error", "-count_frames", "-show_entries", "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames",
				"-of", "default=noprint_wrappers=1", out).Output()
			if err != nil {
				t.Fatal(kind, err)
			}
			want := fmt.Sprintf("codec_name=%s\nwidth=322\nheight=202\npix_fmt=yuv420p\nr_frame_rate=10/1\nnb_read_frames=%d\n", codec, film.Frames())
			if string(said) != want || told.Frames < 20 {
				t.Errorf("%s: ffprobe printed\n%s, want\n%s", kind, said, want)
			}
			checkLastPicture(t, out, film)
		})
	}
}

// checkLastPicture compares the last picture of a video with that of the film.
func checkLastPicture(t *testing.T, video string, film *picture.Film) {
	t.Helper()
	data, err := exec.Command("ffmpeg", "-v", "error", "-i", video, "-vf", fmt.Sprintf("select=eq(n\\,%d)", film.Frames()-1), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgba", "-").Output()
	if err != nil || len(data) != 322*202*4 {
		t.Fatalf("%s: %d bytes, %v", video, len(data), err)
	}
	want := film.Frame(film.Frames() - 1)
	far := 0.0
	for y := range 201 {
		for x := range 321 {
			r, g, b, _ := want.At(x, y).RGBA()
			at := 4 * (y*322 + x)
			for i, v := range []uint32{r, g, b} {
				far += math.Abs(float64(data[at+i]) - float64(v>>8))
			}
		}
	}
	if mean := far / (3 * 321 * 201); mean > 6 {
		t.Errorf("%s: the last picture is %.1f of 255 off in the mean", video, mean)
	}
}
