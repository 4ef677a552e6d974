package handlers_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"officeconsole/handlers"
	"officeconsole/queries/link"
	"officeconsole/queries/queriestest"
)

// A file of a form.
type file struct {
	name    string
	content []byte
}

// upload sends a form with files: the banner, unless it is nil, and pairs of name and value.
func (c *client) upload(path string, banner *file, pairs ...string) answer {
	c.site.t.Helper()
	return c.uploadAs("banner", path, banner, pairs...)
}

// uploadAs is upload with another name of the file's field.
func (c *client) uploadAs(field, path string, uploaded *file, pairs ...string) answer {
	c.site.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(pairs); i += 2 {
		if err := form.WriteField(pairs[i], pairs[i+1]); err != nil {
			c.site.t.Fatal(err)
		}
	}
	if uploaded != nil {
		part, err := form.CreateFormFile(field, uploaded.name)
		if err == nil {
			_, err = part.Write(uploaded.content)
		}
		if err != nil {
			c.site.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		c.site.t.Fatal(err)
	}
	return c.with("Content-Type", form.FormDataContentType()).do(http.MethodPost, path, body.String())
}

// pngOf is a black PNG.
func pngOf(t *testing.T, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bmpHeader is a BMP without pixels.
func bmpHeader(width, height uint32) []byte {
	b := make([]byte, 54)
	copy(b, "BM")
	b[10], b[14], b[26], b[28] = 54, 40, 1, 24
	binary.LittleEndian.PutUint32(b[18:], width)
	binary.LittleEndian.PutUint32(b[22:], height)
	return b
}

// bannerKey returns the banner of a form that is shown again, "" for none.
func (a answer) bannerKey() string {
	a.t.Helper()
	found := regexp.MustCompile(`name="banner_key" value="([^"]*)"`).FindStringSubmatch(a.body)
	if found == nil {
		a.t.Fatalf("%s: no field for the banner", a.request)
	}
	return found[1]
}

func TestRefusedBanners(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	whole := pngOf(t, 126, 80)
	for name, test := range map[string]struct {
		file  file
		shows string
	}{
		"HTML":      {file{"banner.png", []byte("<html><script>alert(1)</script></html>")}, "PNG, JPG/JPEG, BMP 이미지만 올릴 수 있습니다."},
		"SVG":       {file{"banner.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)}, "PNG, JPG/JPEG, BMP 이미지만 올릴 수 있습니다."},
		"GIF":       {file{"banner.png", []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;")}, "PNG, JPG/JPEG, BMP 이미지만 올릴 수 있습니다."},
		"empty":     {file{"banner.png", nil}, "빈 파일입니다."},
		"5 MB":      {file{"banner.png", append(whole, make([]byte, link.MaxBannerBytes-len(whole))...)}, "5MB 미만의 이미지만 올릴 수 있습니다."},
		"5 MB + 1":  {file{"banner.png", append(whole, make([]byte, link.MaxBannerBytes+1-len(whole))...)}, "5MB 미만의 이미지만 올릴 수 있습니다."},
		"900 MP":    {file{"banner.bmp", bmpHeader(30_000, 30_000)}, "2,000만 화소 이하로 줄여 주세요."},
		"truncated": {file{"banner.png", whole[:len(whole)/2]}, "손상된 이미지입니다."},
	} {
		a := admin.upload(linksPath, &test.file, "name", "위키 "+name, "description", "설명", "url", "{host}", "visible", "true")
		a.want(422).shows(test.shows, `href="#banner"`, `id="banner-error"`, `value="위키 `+name+`"`, `value="설명"`)
		if key := a.bannerKey(); key != "" {
			t.Errorf("%s: the form has the banner %s", name, key)
		}
	}
	admin.upload(linksPath, &file{"banner.png", nil}, "url", "wiki").want(422).shows(`href="#banner"`, `href="#name"`, `href="#url"`)
	if n := s.count("select count(*) from links"); n != 0 {
		t.Errorf("%d links were added", n)
	}
}

func TestBannerLife(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	refused := admin.upload(linksPath, &file{"banner.bmp.exe", pngOf(t, 400, 400)}, "url", "{host}").want(422)
	key := refused.bannerKey()
	address := linksPath + "/banners/" + link.BannerHash(key)
	refused.shows(`<img class="banner" src="` + address + `"`)
	admin.upload(linksPath, nil, "name", "위키", "url", "{host}", "visible", "true", "banner_key", key).leads(linksPath)
	admin.get(linksPath).shows(`src="` + address + `"`).hides("배너 없음")

	banner := admin.get(address).want(200)
	for name, want := range map[string]string{
		"Content-Type": "image/png", "Cache-Control": "private, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox",
	} {
		if got := banner.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if size, err := png.DecodeConfig(strings.NewReader(banner.body)); err != nil || size.Width != 160 || size.Height != 160 {
		t.Errorf("the banner is %d×%d (%v)", size.Width, size.Height, err)
	}

	// A picture that is refused leaves the stored one, another one replaces it.
	path := s.linkPath("위키", "")
	edited := admin.upload(path, &file{"a.png", []byte("text")}, "version", "1", "name", "위키", "url", "{host}", "banner_key", key).want(422)
	if edited.bannerKey() != key {
		t.Errorf("the form has the banner %q", edited.bannerKey())
	}
	admin.upload(path, &file{"b.png", pngOf(t, 10, 10)}, "version", "1", "name", "위키", "url", "{host}", "banner_key", key).leads(linksPath)
	if n := s.count("select count(*) from links where banner not in ('', $1)", key); n != 1 {
		t.Error("the banner is not replaced")
	}
	admin.upload(path, nil, "version", "2", "name", "위키", "url", "{host}", "banner_key", key, "banner_removed", "1").leads(linksPath)
	admin.get(linksPath).shows("배너 없음")
	if n := s.count("select count(*) from links where banner = ''"); n != 1 {
		t.Error("the banner is not removed")
	}
}

func TestBannersOfOthers(t *testing.T) {
	s := newSite(t)
	admin, other := s.as(queriestest.Admin), s.as(queriestest.OtherAdmin)
	key := admin.upload(linksPath, &file{"a.png", pngOf(t, 10, 10)}).want(422).bannerKey()
	hash := link.BannerHash(key)
	for _, foreign := range []string{key, "1/../2/" + hash, "2/" + hash, "2/ff/" + hash, "x", "2/" + hash[:2] + "/" + hash + "/../../x"} {
		other.upload(linksPath, nil, "name", "위키", "url", "{host}", "banner_key", foreign).want(422).shows("배너를 찾을 수 없습니다.")
	}
	admin.get(linksPath + "/banners/" + hash).want(200)
	other.get(linksPath + "/banners/" + hash).want(404)
	s.as(queriestest.Employee).get(linksPath + "/banners/" + hash).leads("/logs/workingattitude/day")
	for _, unknown := range []string{strings.Repeat("0", 64), hash[:63], hash + "0", strings.ToUpper(hash), "..%2F..%2F" + hash, "%2E%2E", "a"} {
		if a := admin.get(linksPath + "/banners/" + unknown); a.status != 404 {
			t.Errorf("%s: %d", unknown, a.status)
		}
	}
}

// Content that is not a picture is not served, whatever the store has.
func TestBannerThatIsNoPicture(t *testing.T) {
	files := queriestest.Blobs(t)
	s := newSiteWith(t, handlers.Config{Blobs: files})
	blob, err := files.Put(t.Context(), queriestest.Hanbit, strings.NewReader("<script>alert(1)</script>"), 100)
	if err != nil {
		t.Fatal(err)
	}
	s.as(queriestest.Admin).get(linksPath + "/banners/" + link.BannerHash(blob.Key)).want(404)
}

func TestLimitsOfForms(t *testing.T) {
	s := newSite(t)
	admin := s.as(queriestest.Admin)
	large := file{"a.png", make([]byte, 16<<20)}
	admin.upload("/en"+linksPath, &large, "name", "위키", "url", "{host}").want(413).shows("What you sent is too large.")
	large.content = large.content[:15<<20]
	admin.upload(linksPath, &large, "name", "위키", "url", "{host}").want(422).shows("5MB 미만의 이미지만 올릴 수 있습니다.")
	admin.post(linksPath+"/1/visibility", "visible", strings.Repeat("a", 1<<20)).want(413)
	admin.upload(linksPath, nil, "name", strings.Repeat("a", 11<<20)).want(413) // values are held in memory
	admin.with("Content-Type", "multipart/form-data; boundary=x").do(http.MethodPost, linksPath, "--x\r\nbroken").want(422)
}
