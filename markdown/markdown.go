// Package markdown renders the Markdown that people write for each other as safe
// HTML.
//
// It is CommonMark with tables, ~~strikethrough~~ and bare addresses as links,
// and with these differences: HTML is shown as the text that it is; a line break
// in the source is one on the page; headings are two levels lower, below those of
// the page around them; an image is a link to it; a link that does not lead to the
// web, a mailbox or a telephone is shown as its text; and emphasis may begin and
// end beside a Chinese, Japanese or Korean character, where no spaces are written.
package markdown

import (
	"bufio"
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	htmlrenderer "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// language lacks the parsers of HTML, so that tags are text like any other.
// Cells are aligned by an attribute, as pages do not allow inline styles.
var language = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(limitedNesting{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(limitedNesting{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(emphasisParser{parser.NewEmphasisParser()}, 500),
			util.Prioritized(emphasisParser{extension.NewStrikethroughParser()}, 500),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithASTTransformers(util.Prioritized(restriction{}, 1000)),
	)),
	goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		extension.NewLinkify(extension.WithLinkifyAllowedProtocols([]string{"http:", "https:"})),
	),
	goldmark.WithRendererOptions(
		htmlrenderer.WithHardWraps(),
		renderer.WithNodeRenderers(util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500)),
	),
)

// HTML returns a source as HTML that is safe in every page: it has no scripts,
// styles, images, ids or frames, and its links open in a window of their own.
func HTML(source string) string {
	var out bytes.Buffer
	if err := language.Convert([]byte(strings.ToValidUTF8(source, "\uFFFD")), &out); err != nil {
		panic(err) // a buffer can be written to, and nothing else fails
	}
	return out.String()
}

// Text returns the words of a source on one line, without its marks: for the
// beginning of a text in a list, and for searches.
func Text(source string) string {
	content := []byte(strings.ToValidUTF8(source, "\uFFFD"))
	var escaped bytes.Buffer
	w := bufio.NewWriter(&escaped)
	_ = ast.Walk(language.Parser().Parse(text.NewReader(content)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				writeText(w, n, content)
			}
		case *ast.String:
			if entering {
				htmlrenderer.DefaultWriter.RawWrite(w, n.Value)
			}
		case *ast.AutoLink:
			if entering {
				htmlrenderer.DefaultWriter.RawWrite(w, n.Label(content))
			}
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			if entering {
				htmlrenderer.DefaultWriter.RawWrite(w, n.Lines().Value(content))
			}
		}
		if n.Type() == ast.TypeBlock {
			_ = w.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	_ = w.Flush()
	return strings.Join(strings.Fields(html.UnescapeString(escaped.String())), " ")
}

// writeText writes a text as it is in HTML, in which escapes and entities of the
// source are resolved.
func writeText(w *bufio.Writer, n *ast.Text, source []byte) {
	if parent := n.Parent(); n.IsRaw() || parent != nil && parent.Kind() == ast.KindCodeSpan {
		htmlrenderer.DefaultWriter.RawWrite(w, n.Value(source))
	} else {
		htmlrenderer.DefaultWriter.Write(w, n.Value(source))
	}
	if n.SoftLineBreak() || n.HardLineBreak() {
		_ = w.WriteByte(' ')
	}
}
