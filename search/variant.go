package search

import (
	"strings"
	"unicode/utf8"
)

// variants are characters that people write for each other in names: each word begins
// with the one that stands for all others. Their sources are the older forms of the
// Jōyō kanji table (常用漢字表, Cabinet Notice 2 of 2010) and of the name kanji (Ordinance
// for Enforcement of the Family Register Act, Appended Table 2), and the common variants
// of family names that the unified characters of the family registers list
// (戸籍統一文字), such as 髙 and 﨑.
const variants = "高髙 崎﨑嵜 辺邊邉 斎齋斉齊 吉𠮷 浜濱濵 沢澤 桜櫻 国國圀 広廣 真眞 恵惠 栄榮 徳德 富冨 島嶋嶌 竜龍 滝瀧 条條 瀬瀨 静靜 " +
	"橋𣘺 関關 塩鹽 戸戶 黒黑 黄黃 緑綠 青靑 清淸 館舘 渕淵 峰峯 藪薮籔 檜桧 桑桒 柳栁 槙槇 遥遙 鴎鷗 祢禰 尭堯 巌巖 穣穰 亘亙 凛凜 晃晄 萌萠 " +
	"実實 亜亞 円圓 応應 奥奧 横橫 温溫 薗園 学學 楽樂 巻卷 寛寬 気氣 暁曉 勲勳 薫薰 経經 芸藝 県縣 剣劍 検檢 顕顯 厳嚴 " +
	"恒恆 児兒 寿壽 従從 縦縱 渋澁 緒緖 将將 渉涉 乗乘 浄淨 譲讓 慎愼 尽盡 粋粹 穂穗 摂攝 専專 禅禪 壮壯 荘莊 総總 蔵藏 曽曾 " +
	"増增 帯帶 団團 弾彈 昼晝 鋳鑄 庁廳 聴聽 鉄鐵 転轉 伝傳 灯燈 当當 稲稻 独獨 弥彌 拝拜 売賣 麦麥 発發 " +
	"杯盃 払拂 仏佛 変變 歩步 豊豐 万萬 毎每 満滿 黙默 野埜 薬藥 与與 様樣 来來 頼賴 覧覽 涼凉 塁壘 礼禮 歴歷 暦曆 錬鍊 郎郞 " +
	"録錄 湾灣 鎮鎭 鶏鷄 霊靈 旧舊 区區 会會 絵繪 台臺 声聲 双雙 点點 党黨 宝寶 予豫 余餘 両兩 労勞 炉爐 読讀 続續 数數"

// firstKanji is before every variant.
const firstKanji = '一'

// sameLetters maps every variant to the character that stands for it.
var sameLetters = lettersOfVariants()

func lettersOfVariants() map[rune]rune {
	same := map[rune]rune{}
	for _, word := range strings.Fields(variants) {
		first, size := utf8.DecodeRuneInString(word)
		for _, r := range word[size:] {
			same[r] = first
		}
	}
	return same
}
