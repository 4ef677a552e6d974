package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// maxNesting is how many quotes and lists may be inside each other, counting the
// list and its items apart. Nobody writes as many; without a limit, parsing and
// rendering take time that grows by the square of the depth.
const maxNesting = 40

// limitedNesting is a parser of blocks that hold others. What would be nested
// deeper is the text that it is.
type limitedNesting struct{ parser.BlockParser }

// Open begins a block in a parent, or returns nil if the parent is nested too
// deeply to hold one.
func (p limitedNesting) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if depth > maxNesting {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}
