package demo

import (
	"math"
	"net/netip"
	"slices"
	"strconv"

	"officeconsole/workday"
)

// site is where the people of a department work. Its addresses are from the
// ranges that are reserved for documentation.
type site struct {
	address  [4]byte // the first address
	hosts    int
	lat, lng float64
}

var (
	headquarters = site{[4]byte{203, 0, 113, 1}, 125, 37.5665, 126.978}
	laboratory   = site{[4]byte{198, 51, 100, 10}, 50, 37.4019, 127.1087}
	busanOffice  = site{[4]byte{192, 0, 2, 1}, 61, 35.1796, 129.0756}
	tokyoOffice  = site{[4]byte{192, 0, 2, 65}, 61, 35.6812, 139.7671}
	elsewhere    = site{[4]byte{198, 51, 100, 129}, 125, 0, 0}
)

func (k *clocker) site() site {
	switch k.Departments[k.person.Department-1].kind {
	case research:
		return laboratory
	case busan:
		return busanOffice
	case japan:
		return tokyoOffice
	}
	return headquarters
}

func (s site) host(n int) netip.Addr {
	a := s.address
	a[3] += byte(n % s.hosts)
	return netip.AddrFrom4(a)
}

// device sets the device in use, and the address and position that it reports.
func (k *clocker) device(e *ClockEvent) {
	place := k.site()
	if k.mobile != k.happens(0.07) {
		e.Platform, e.Device = "mobile", k.phoneOn(k.plan.Date)
		k.phone(e, place)
		return
	}
	e.Platform, e.Device, e.Address = "pc", k.own("pc"), place.host(k.person.Number)
	switch chance := k.Float64(); {
	case chance < 0.05 && e.Kind == workday.Out:
		e.Source = "pc_off"
	case chance < 0.08 && slices.Contains(k.duty.Platforms, "web"):
		e.Platform, e.Device = "web", k.own("web")
	}
}

func (k *clocker) own(device string) string { return device + "-" + strconv.Itoa(k.person.Number) }

// phoneOn returns the phone that the person had on a date.
func (k *clocker) phoneOn(date workday.Date) string {
	if k.replaced > 0 && date > workday.DateOf(k.today)-workday.Date(k.replaced) {
		return k.own("phone") + "-2"
	}
	return k.own("phone")
}

// phone sets the network and position of a phone: in the office's network or
// another one, and at a workplace of the policy or at a customer's, which is
// the reason.
func (k *clocker) phone(e *ClockEvent, at site) {
	asked := len(k.duty.Places) > 0 || k.duty.AddressesListed
	away := asked && k.happens(0.22) || !asked && k.happens(0.06)
	e.Address = at.host(k.person.Number)
	if away || k.happens(0.25) {
		e.Address = elsewhere.host(k.IntN(elsewhere.hosts))
	}
	if away || k.duty.AddressesListed {
		e.Reason = errands[k.IntN(len(errands))]
	}
	if len(k.duty.Places) > 0 {
		e.Position = k.position(at, away)
	}
}

// errands are reasons for outside work.
var errands = []string{"거래처 방문", "고객사 미팅", "현장 설치 지원", "전시회 참관", "외부 교육", "관공서 서류 제출", "협력사 회의", "장애 현장 출동"}

// position returns a position near a workplace of the policy or, when away,
// some kilometres from it.
func (k *clocker) position(at site, away bool) *Position {
	place := k.duty.Places[k.nearby(at)]
	far := place.RadiusM * 0.7 * k.Float64()
	if away {
		far = 1800 + k.ExpFloat64()*5200
	}
	angle := k.Float64() * 2 * math.Pi
	const metres = 111_320 // the length of a degree of latitude
	p := &Position{
		Lat:       place.Lat + far*math.Cos(angle)/metres,
		Lng:       place.Lng + far*math.Sin(angle)/metres/math.Cos(place.Lat*math.Pi/180),
		AccuracyM: math.Round(4 + k.ExpFloat64()*18),
		Mock:      k.fakes && k.happens(0.3),
	}
	p.Lat, p.Lng = math.Round(p.Lat*1e6)/1e6, math.Round(p.Lng*1e6)/1e6
	return p
}

// nearby returns the index of the policy's workplace that is nearest to a site.
func (k *clocker) nearby(at site) int {
	best, least := 0, math.Inf(1)
	for i, p := range k.duty.Places {
		if off := math.Hypot(p.Lat-at.lat, p.Lng-at.lng); off < least {
			best, least = i, off
		}
	}
	return best
}
