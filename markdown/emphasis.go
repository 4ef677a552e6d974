package markdown

import (
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// emphasisParser is one of runs of asterisks or tildes as CommonMark has it, except
// that a run beside a Chinese, Japanese or Korean character may open and close an
// emphasis as one beside a space may. Otherwise that of **11월 30일(월)**까지 would
// not end, since it follows a bracket and is followed by a letter.
type emphasisParser struct {
	parser.InlineParser
}

// Parse parses a run of asterisks, underscores or tildes.
func (p emphasisParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	node := p.InlineParser.Parse(parent, block, pc)
	run, ok := node.(*parser.Delimiter)
	if !ok || run.Char == '_' {
		return node
	}
	line, _ := block.PeekLine()
	after, _ := utf8.DecodeRune(line)
	if len(line) == 0 {
		after = ' '
	}
	run.CanOpen = run.CanOpen || isCJK(before) && !unicode.IsSpace(after)
	run.CanClose = run.CanClose || isCJK(after) && !unicode.IsSpace(before)
	return node
}

func isCJK(r rune) bool {
	return unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー'
}
