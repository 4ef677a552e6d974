package demo

import (
	"strconv"
	"strings"
)

// surnames, each with its number among 10,000 Koreans, roughly as counted in
// 2015.
var surnames = weigh(`김2150 이1470 박840 최470 정430 강240 조212 윤206 장200 임166 한154 오153 서151
	신149 권142 황140 안138 송137 유130 전112 홍112 고94 문93 양92 손91 배80 백77 허65 남55 심54 노52 하46
	곽41 성40 차39 주39 우39 구39 류38 민34 나32 진31 지31 엄29 채26 원26 천24 방19 공18 현18 함16 변17
	염14 여12 추12 도11 소10 석10 선9 설8 마8 길8 연7 위7 표6 명6 기6 반6 왕5 금5 옥5 육5 인5 맹5 제5 모4
	남궁4 황보2 제갈1 선우1 독고1`)

// Surnames whose usual spelling differs from the Revised Romanization.
var familyLatin = map[string]string{
	"김": "kim", "이": "lee", "박": "park", "최": "choi", "정": "jung", "강": "kang", "조": "cho", "윤": "yoon",
	"장": "jang", "임": "lim", "오": "oh", "신": "shin", "권": "kwon", "안": "ahn", "유": "yoo", "고": "ko",
	"문": "moon", "손": "son", "백": "baek", "허": "heo", "노": "noh", "우": "woo", "구": "koo", "류": "ryu",
	"천": "chun", "주": "joo", "선": "sun", "금": "keum", "길": "gil", "남궁": "namgung",
}

// fashions are popular names by decade of birth, from 1960 on: of men, then of
// women.
var fashions = [][2][]string{
	{strings.Fields("영수 영호 영철 상철 정호 성호 경수 상훈 재호 영진 병철 광수 동수 종수 용수 성수 기호 진수 영일 종호 상수 창수 태식 인호 정수"),
		strings.Fields("미숙 정숙 경숙 영희 미경 은주 은영 명숙 현숙 미영 경희 선희 정희 영미 혜숙 미자 경미 은숙 정미 혜경 인숙 현주 영주 순희 연희")},
	{strings.Fields("정훈 성훈 상훈 성진 성민 영진 상현 준호 정호 동현 재현 성호 진호 민수 상우 승현 경호 태호 병훈 재훈 승호 진우 기영 세진 용준"),
		strings.Fields("은주 은영 미영 지영 은정 은경 현주 미정 수진 현정 지연 정은 혜정 윤정 선영 은희 유진 주연 혜영 수정 경아 진희 소영 희정 나영")},
	{strings.Fields("지훈 성민 현우 정훈 동현 준영 민수 준호 상현 진우 성현 재현 영민 승현 성진 정민 재훈 상민 민호 종현 태현 원석 기훈 동욱 경민"),
		strings.Fields("지혜 지영 혜진 은지 지은 수진 은정 지연 혜정 민정 유진 보람 은영 아름 현정 선영 민지 수정 진아 슬기 소연 미진 다혜 효진 가영")},
	{strings.Fields("지훈 동현 현우 성민 준영 현준 민수 승현 준호 민재 태현 상현 정우 재현 승민 영준 성현 건우 민석 우진 준혁 도현 찬호 진혁 한솔"),
		strings.Fields("유진 민지 수빈 지원 지현 지은 현지 은지 예진 예지 수민 다은 소연 하은 서연 지수 혜원 다영 나영 예린 채원 가은 소희 하늘 유나")},
	{strings.Fields("민준 현우 동현 준혁 민재 도현 지훈 준영 현준 승민 민석 시우 예준 서준 지호 건우 은우 주원 유찬 지환 태윤 하준 시현 정현 재윤"),
		strings.Fields("유진 서연 민서 수빈 지원 예은 서현 수민 하은 지우 다은 윤서 채원 민지 예린 지윤 서윤 소율 나은 채은 가온 세아 유나 아린 시은")},
}

// syllables are the first and second syllables of names: of men, then of women.
var syllables = [2][2][]string{
	{strings.Fields("민 준 도 지 현 재 승 태 성 상 정 동 영 우 건 시 주 진 종 한 규 찬 경 기 원 윤 형 세 용 인 선 명 의 희 대 광"),
		strings.Fields("준 우 현 호 훈 민 석 진 수 영 재 혁 환 철 규 빈 원 성 범 섭 찬 욱 택 윤 한 일 기 건 근 열 태 겸 완 홍")},
	{strings.Fields("서 지 민 수 하 예 유 은 다 채 소 윤 가 나 세 혜 현 주 선 정 미 보 아 연 희 승 효 진 태 이 시 해 여 도 경 새"),
		strings.Fields("연 은 서 현 영 진 아 희 원 민 윤 정 경 주 수 린 빈 인 선 솔 하 혜 나 미 리 지 람 비 란 슬 별 온")},
}

var olderSyllables = [2][2][]string{
	{strings.Fields("영 상 정 성 경 재 병 광 동 종 용 기 진 창 태 인 승 명 원 준 현 대 선 형 홍 만 규 윤 석 덕"),
		strings.Fields("수 호 철 훈 진 식 일 환 석 규 만 섭 열 택 용 근 기 현 욱 우 중 국 배 길 태 복 표 권 민 재")},
	{strings.Fields("영 미 정 경 은 명 현 선 혜 순 인 연 희 수 진 지 윤 옥 금 성 양 춘 애 숙 재"),
		strings.Fields("숙 희 경 주 영 자 미 옥 순 란 선 애 화 정 아 임 연 례 진 실 이 심 혜 림 원")},
}

var (
	japaneseFamilies = strings.Fields("佐藤:sato 鈴木:suzuki 高橋:takahashi 田中:tanaka 伊藤:ito 渡辺:watanabe 山本:yamamoto 中村:nakamura 小林:kobayashi 加藤:kato 吉田:yoshida 山田:yamada 佐々木:sasaki 山口:yamaguchi 松本:matsumoto 井上:inoue 木村:kimura 林:hayashi 斎藤:saito 清水:shimizu 山崎:yamazaki 森:mori 池田:ikeda 橋本:hashimoto 阿部:abe 石川:ishikawa 山下:yamashita 中島:nakajima 石井:ishii 小川:ogawa 前田:maeda 岡田:okada 長谷川:hasegawa 藤田:fujita 後藤:goto 近藤:kondo 村上:murakami 遠藤:endo 青木:aoki 坂本:sakamoto")
	japaneseMen      = strings.Fields("翔太:shota 健太:kenta 大輔:daisuke 拓也:takuya 蓮:ren 陽翔:haruto 直樹:naoki 誠:makoto 亮:ryo 和也:kazuya 達也:tatsuya 健一:kenichi 雄太:yuta 隆:takashi 航:wataru 悠人:yuto 浩二:koji 修:osamu 翼:tsubasa 大和:yamato 慎也:shinya 涼介:ryosuke")
	japaneseWomen    = strings.Fields("美咲:misaki 陽菜:hina 愛:ai 結衣:yui さくら:sakura 葵:aoi 彩:aya 真由美:mayumi 由美子:yumiko 恵:megumi 優子:yuko 千尋:chihiro 麻衣:mai 七海:nanami 智子:tomoko 裕子:hiroko 沙織:saori 明日香:asuka 香織:kaori 凛:rin 美穂:miho 遥:haruka")
)

// latinPeople is a source of names in Latin letters.
type latinPeople struct {
	men, women, families []string
	familyFirst          bool
}

var latinPeoples = []latinPeople{
	{men: strings.Fields("James Daniel Michael Ryan Kevin Andrew Eric Thomas"),
		women:    strings.Fields("Emily Sarah Jessica Olivia Grace Hannah Megan Claire"),
		families: strings.Fields("Carter Miller Johnson Brooks Parker Nguyen Thompson Reed O’Connor")},
	{men: strings.Fields("Jonas Lukas Stefan Jörg Matthias Félix Antoine Łukasz"),
		women:    strings.Fields("Anna Zoë Katharina Élodie Camille Sofia Małgorzata Ingrid"),
		families: strings.Fields("Weber Müller Schäfer Dubois Lefèvre Rossi Kowalski Sørensen Weiß")},
	{men: strings.Fields("Văn_Hùng Minh_Tuấn Quang_Huy Đức_Anh Hoàng_Nam"),
		women:    strings.Fields("Thị_Lan Thu_Hà Ngọc_Anh Phương_Thảo Minh_Châu"),
		families: strings.Fields("Nguyễn Trần Lê Phạm Vũ Đặng Bùi"), familyFirst: true},
	{men: strings.Fields("Rahul Arjun Vikram Sanjay Rohan"),
		women:    strings.Fields("Priya Ananya Kavya Neha Divya"),
		families: strings.Fields("Sharma Patel Singh Iyer Gupta Reddy Nair")},
}

func weigh(text string) []weighted {
	var all []weighted
	sum := 0
	for entry := range strings.FieldsSeq(text) {
		digits := strings.IndexAny(entry, "0123456789")
		weight, _ := strconv.Atoi(entry[digits:])
		sum += weight
		all = append(all, weighted{entry[:digits], sum})
	}
	return all
}
