package importfile

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A script is how likely letters are in an encoding of two bytes a letter. The same
// bytes are letters in several encodings, but rarely common ones: of names and headings
// in Korean, the Japanese reading is half-width katakana and the Chinese one unusual
// characters.
type script struct {
	encoding string
	isLead   func(byte) bool // whether a byte begins a letter of two bytes
	weight   func(letter rune, bytes []byte) float64
}

// Weights of letters: between rare and common ones are those of other everyday words, and
// letters of the encoding's first level, which are in use. Broken bytes count most.
const (
	common   = 1.0
	familiar = 0.75
	inUse    = 0.4
	unusual  = -0.5
	rare     = -1.0
	broken   = -3.0
)

var scripts = []script{
	{"cp949", func(b byte) bool { return b >= 0x81 && b <= 0xfe }, func(r rune, b []byte) float64 {
		switch {
		case strings.ContainsRune(commonHangul, r):
			return common
		case strings.ContainsRune(familiarHangul, r):
			return familiar
		case isOddSyllable(r):
			return unusual
		case unicode.Is(unicode.Hangul, r) && b[0] >= 0xa1 && b[1] >= 0xa1: // the syllables of KS X 1001
			return inUse
		case unicode.Is(unicode.Hangul, r):
			return rare
		case unicode.Is(unicode.Han, r):
			return unusual
		}
		return 0
	}},
	{"shift_jis", func(b byte) bool { return b >= 0x81 && b <= 0x9f || b >= 0xe0 && b <= 0xfc }, func(r rune, b []byte) float64 {
		switch {
		case len(b) == 1: // half-width katakana
			return 0
		case unicode.In(r, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune(commonKanji, r):
			return common
		case unicode.Is(unicode.Han, r) && b[0] <= 0x98: // JIS level 1
			return inUse
		case unicode.Is(unicode.Han, r):
			return unusual
		}
		return 0
	}},
	{"gbk", func(b byte) bool { return b >= 0x81 && b <= 0xfe }, func(r rune, b []byte) float64 {
		switch {
		case strings.ContainsRune(commonHanzi, r):
			return common
		case unicode.Is(unicode.Han, r) && b[0] >= 0xb0 && b[0] <= 0xd7 && b[1] >= 0xa1: // GB 2312 level 1
			return inUse / 8
		case unicode.Is(unicode.Han, r) && b[0] >= 0xb0 && b[1] >= 0xa1:
			return unusual
		case unicode.Is(unicode.Han, r):
			return rare
		}
		return 0
	}},
}

// isOddSyllable reports whether a Hangul syllable ends with two consonants, or has a rare
// vowel before its last consonant, as hardly any noun or name does.
func isOddSyllable(r rune) bool {
	const firstSyllable, vowels, ends = 0xac00, 21, 28
	if r < firstSyllable || r > 0xd7a3 {
		return false
	}
	vowel, end := (r-firstSyllable)/ends%vowels, (r-firstSyllable)%ends
	switch vowel {
	case 3, 7, 10, 15, 19: // yae, ye, wae, we, ui
		return end != 0
	}
	switch end {
	case 3, 5, 6, 9, 10, 11, 12, 13, 14, 15, 18: // gs, nj, nh, l with another one, bs
		return true
	}
	return false
}

// score returns how likely bytes are text of the script, at most 1.
func (s script) score(b []byte) float64 {
	decoder := encodingOf(s.encoding).NewDecoder()
	sum, letters := 0.0, 0
	for len(b) > 0 {
		size := 1
		if b[0] < utf8.RuneSelf {
			b = b[1:]
			continue
		}
		if s.isLead(b[0]) {
			size = 2
		}
		if len(b) < size {
			break // the probe ends within a letter
		}
		text, err := decoder.Bytes(b[:size])
		r, length := utf8.DecodeRune(text)
		letters++
		switch {
		case err != nil || r == utf8.RuneError || length != len(text) || unicode.Is(unicode.Co, r):
			sum += broken
		default:
			sum += s.weight(r, b[:size])
		}
		b = b[size:]
	}
	if letters == 0 {
		return 0
	}
	return sum / float64(letters)
}

// mostOdd is the number of odd letters that words in another encoding may happen to have.
const mostOdd = 8

// hasOddLetters reports whether most letters of UTF-8 are unlikely: a few different ones
// of two bytes, but not those of names in Latin letters, which are beside ASCII ones.
// Short words in Chinese and Korean encodings may happen to be such UTF-8.
func hasOddLetters(b []byte) bool {
	text := []rune(string(b))
	odd, usual := map[rune]bool{}, 0
	for i, r := range text {
		switch {
		case r != utf8.RuneError && utf8.RuneLen(r) > 2:
			usual++
		case r < utf8.RuneSelf || !unicode.In(r, unicode.Letter, unicode.Mark):
		case unicode.Is(unicode.Latin, r) && (i > 0 && isASCIILetter(text[i-1]) || i+1 < len(text) && isASCIILetter(text[i+1])):
			usual++
		default:
			odd[r] = true
		}
	}
	return len(odd) > usual && len(odd) <= mostOdd
}

func isASCIILetter(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }

// The letters of many names of people, departments and workplaces, and of the headings
// and values of lists of attendance. Familiar ones are those of other words of offices.
const (
	commonHangul = "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구나민진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용" +
		"준예시수영철호희경미숙순자혜아름다운빈율온건후찬환태재동범승규일창종상봉광훈혁욱덕식웅학란애복형가을라람림린세슬솔보별새봄해나무리비별빛" +
		"사번름날짜출근퇴간각치역할관직등급책부팀본점실센터과회휴대화메주록코드감독팅술획무총개발생산품질연케터팅업영지물류해외국내법컨텐디자" +
		"전후월화수목금토요년일시분초야외박참석결근조반차특별교육훈련출장병가정상미입력없음비고연락처대리계약사원이의를에의한로도행정보안운송" + "둘셋넷다섯여섯일곱번째층호관동서남북중앙제품청구매입매출검토완료신청승인취소" +
		"포항카페집택몽피씨앱얼굴뷰티샵쇼숲속꽃빵떡몰홀랩"
	familiarHangul = "니는습면만되거으합그와게저까했스었트바확적된작려파달크돌버체들열져단됩있활알않키값누데절겠때받패됨접래증읽봇당쓰올워더옮밀필았색잠줄것넘르큰늘꾸브히숨담콘두막객링뒤곳러밖못숫통글폐" +
		"불님따찾너언례응말립던루므션앞긋답평템견럼왔갑향난축납험판쪽늦령맞든격릴침램놓룹끊멈네겹짐딩효긴빌칙암폼칸닝춘능움즉같첫큼좁베잘량좌풀클붙넓족끌갈울잔헬살녹헌념볼군럽투칭킬존털걸균" +
		"괄헤엇틀묶짝첨께망많낮탄컴묵였큽십꿈협징융곧액낸푸눈낭삼싱커뮤블친골악섬벽똑혼빨폰익귀측밤론젝옆둔곡캠켄샘핑빙촌롯웨팩툴탑큐렉웹츠뢰"
	commonKanji = "佐藤鈴木高橋田中伊渡辺山本村小林加吉川井松口下野原石清水前岡長谷部森池青西福太三後近遠坂斉斎竹内金和島酒工横宮今河上杉武新丸増千葉岩桜菅久保市大平古安永浅荒秋沢関服樋菊東北南" +
		"健一二郎子美恵由紀真裕智博幸浩隆誠翔輔直樹陽介香織奈明正雄男夫洋剛亮拓也優花菜結衣蓮悠斗颯彩愛梨七海莉桃咲舞未来純哲司史朗弘修治義信行秀之" +
		"社員番号氏名日付出勤退時刻端末場所備考務遅早欠休暇有給曜月火水土年午後打署役職会電話営業本部課総人事経理開発製造品質企画支店京阪神府県区" +
		"札幌仙台倉庫在宅自客先座裏門食堂空港院学校館階駅室議受草赤"
	commonHanzi = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤" +
		"伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂华建国文玉红春梅志海燕辉宇婷欣佳雪鑫博浩然子轩思晨雨涵俊峰鹏飞琳晓慧颖莹立永新成东云波斌宁安中生光天德兴健小大" +
		"姓名工号员编日期时间上下班到离部门公司地点设备电话手机邮箱职位备注考勤打卡迟早退休假正常加班年月星一二三四五六七八九十午北京海广州深圳销售技术人事财务行政生产经理总监" +
		"台楼办室研仓库会议食堂厂车厦口家外出差客户现场宿舍实验房商店园区科浦阳淀哈尔滨餐厅停酒火站铁校医院银病婚调旷请市采购质量物流服计品运营脑网页移动端主副后展值保培训接待茶水左右边远居寓码头图书馆岛肥合济港重庆连沙南埠封底沧汾"
)
