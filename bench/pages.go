package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
)

// pageMeasurement is the output of bench/page/measure.mjs for a page. Sizes are
// bytes on the wire including headers, times are milliseconds from the start of
// navigation.
type pageMeasurement struct {
	Cold, Warm visit
	Slow       visit // cold, on a slow connection and processor
	Bare       visit // the same without scripts
	LCPRatio   spread
	Blocking   spread // of the visits on the slow connection
}

type visit struct {
	Bytes, Script, Style, HTML, Requests float64
	ScriptAfterPaint                     float64
	FCP, LCP, CLS                        float64
}

// pages measures two pages in a browser: one without islands, and one with the
// department tree.
func pages(ctx context.Context, b *bench) error {
	database, err := b.server.url(ctx, size)
	if err != nil {
		return err
	}
	p, err := b.startProgram(ctx, "OFFICECONSOLE_DATABASE_URL="+database)
	if err != nil {
		return err
	}
	defer p.close()
	if p.cookie, err = signIn(ctx, p.address); err != nil {
		return err
	}
	plain, err := measure(ctx, p, profilePath)
	if err != nil {
		return err
	}
	tree, err := measure(ctx, p, policiesPath)
	if err != nil {
		return err
	}
	b.plainPage(plain)
	b.treePage(plain, tree)
	return nil
}

func measure(ctx context.Context, p *program, path string) (m pageMeasurement, err error) {
	command := exec.CommandContext(ctx, "node", "bench/page/measure.mjs", "http://"+p.address+path, p.cookie)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return m, fmt.Errorf("measure %s: %w", path, err)
	}
	return m, json.Unmarshal(out, &m)
}

func (b *bench) plainPage(m pageMeasurement) {
	b.table.head("A page without islands (" + profilePath + ")")
	b.table.row("cold, KB on the wire", "≤ 60", kilobytes(m.Cold.Bytes))
	b.table.row("cold, requests", "≤ 8", number(m.Cold.Requests))
	b.table.row("cold, KB of script", "≤ 20", kilobytes(m.Cold.Script))
	b.table.row("cold, KB of style", "≤ 12", kilobytes(m.Cold.Style))
	b.table.row("warm, KB on the wire", "≤ 12", kilobytes(m.Warm.Bytes))
	b.slowRows(m, "≤ 1.25", "0", "< 50")
}

func (b *bench) treePage(plain, m pageMeasurement) {
	b.table.head("A page with the tree (" + policiesPath + ")")
	b.table.row("cold, KB on the wire", "", kilobytes(m.Cold.Bytes))
	b.table.row("cold, requests", "", number(m.Cold.Requests))
	b.table.row("cold, KB of script more than the page without islands", "≤ 130", kilobytes(m.Cold.Script-plain.Cold.Script))
	b.table.row("slow, KB of script requested before first paint", "", kilobytes(m.Slow.Script-m.Slow.ScriptAfterPaint))
	b.table.row("slow, KB of script requested after first paint", "", kilobytes(m.Slow.ScriptAfterPaint))
	b.table.row("cold, KB of style", "≤ 12", kilobytes(m.Cold.Style))
	b.table.row("warm, KB on the wire", "", kilobytes(m.Warm.Bytes))
	b.slowRows(m, "", "", "")
}

// slowRows prints the rows of the slow profile: processor 6× slower, 1.6
// Mbit/s, 150 ms.
func (b *bench) slowRows(m pageMeasurement, lcp, shift, blocking string) {
	b.table.row("slow, LCP relative to the same page without scripts", lcp, m.LCPRatio.String())
	b.table.row("slow, LCP with and without scripts, ms", "", number(m.Slow.LCP)+", "+number(m.Bare.LCP))
	b.table.row("slow, layout shift", shift, strconv.FormatFloat(m.Slow.CLS, 'f', 4, 64))
	b.table.row("slow, blocking time, ms", blocking, m.Blocking.String())
}

func kilobytes(bytes float64) string { return strconv.FormatFloat(bytes/1024, 'f', 1, 64) }

func number(n float64) string { return strconv.FormatFloat(n, 'f', 0, 64) }
