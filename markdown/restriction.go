package markdown

import (
	"net/url"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// lowering is by how many levels headings are lower than they are written: a page
// has its own heading, and the text one in it.
const lowering = 2

// lowestHeading is the lowest level of a heading in HTML.
const lowestHeading = 6

// restriction changes a parsed text as the package describes.
type restriction struct{}

// Transform restricts a document before it is rendered.
func (restriction) Transform(document *ast.Document, reader text.Reader, _ parser.Context) {
	var links []ast.Node // changed after the walk, which must not lose its way
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			n.Level = min(n.Level+lowering, lowestHeading)
		case *ast.Link, *ast.Image, *ast.AutoLink:
			links = append(links, n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range links { // from the outside in
		switch n := n.(type) {
		case *ast.Link:
			if leadsOutside(n.Destination) && !isInLink(n) {
				openOutside(n)
			} else {
				replaceByChildren(n)
			}
		case *ast.Image:
			replaceImage(n)
		case *ast.AutoLink:
			restrictAutoLink(n, reader.Source())
		}
	}
}

// replaceImage replaces an image by a link to it, or by its description where it
// cannot have a link.
func replaceImage(n *ast.Image) {
	if !leadsOutside(n.Destination) || isInLink(n) {
		replaceByChildren(n)
		return
	}
	link := ast.NewLink()
	link.Destination, link.Title = n.Destination, n.Title
	if n.HasChildren() {
		moveChildren(n, link)
	} else {
		address := ast.NewString(n.Destination)
		address.SetRaw(true)
		link.AppendChild(link, address)
	}
	openOutside(link)
	n.Parent().ReplaceChild(n.Parent(), n, link)
}

// restrictAutoLink replaces an address in the text that must not be a link by
// its text.
func restrictAutoLink(n *ast.AutoLink, source []byte) {
	address := n.URL(source)
	if n.AutoLinkType == ast.AutoLinkEmail {
		address = append([]byte("mailto:"), n.Label(source)...)
	}
	if leadsOutside(address) && !isInLink(n) {
		openOutside(n)
		return
	}
	label := ast.NewString(n.Label(source))
	label.SetRaw(true)
	n.Parent().ReplaceChild(n.Parent(), n, label)
}

// leadsOutside reports whether a link may lead to an address of the source. It
// judges the address as it will be in the page, with entities and escapes
// resolved. A name before the host (https://bank.example@other.example) only
// serves to deceive.
func leadsOutside(destination []byte) bool {
	address, err := url.Parse(string(util.URLEscape(destination, true)))
	if err != nil {
		return false
	}
	switch address.Scheme { // url.Parse folds it
	case "http", "https":
		return address.Host != "" && address.User == nil
	case "mailto", "tel":
		return address.Opaque != ""
	}
	return false
}

// openOutside lets a link open in a window of its own that learns nothing of
// this one.
func openOutside(n ast.Node) {
	n.SetAttributeString("rel", []byte("noopener noreferrer"))
	n.SetAttributeString("target", []byte("_blank"))
}

func isInLink(n ast.Node) bool {
	for parent := n.Parent(); parent != nil; parent = parent.Parent() {
		if parent.Kind() == ast.KindLink {
			return true
		}
	}
	return false
}

func replaceByChildren(n ast.Node) {
	parent := n.Parent()
	for child := n.FirstChild(); child != nil; {
		next := child.NextSibling()
		parent.InsertBefore(parent, n, child)
		child = next
	}
	parent.RemoveChild(parent, n)
}

func moveChildren(from, to ast.Node) {
	for child := from.FirstChild(); child != nil; {
		next := child.NextSibling()
		to.AppendChild(to, child)
		child = next
	}
}
