package importfile

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// readAll gives the rows of a file and what was refused of it.
func readAll(t testing.TB, file io.Reader) (rows []Cells, refused []Refusal) {
	t.Helper()
	table, err := OpenTable(file, Reading{}, Columns{Names: []string{"name", "email", "note"}, Required: []string{"name"}, Aliases: map[string]string{"이름": "name", "메일주소": "email"}})
	for err == nil {
		var row Cells
		row, err = table.Next()
		var one Refusal
		var broken Unreadable
		switch {
		case err == nil:
			rows = append(rows, row)
		case errors.As(err, &one):
			refused, err = append(refused, one), nil
		case errors.As(err, &broken):
			return rows, append(refused, broken.Refusal)
		}
	}
	var broken Unreadable
	if errors.As(err, &broken) {
		return rows, append(refused, broken.Refusal)
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return rows, refused
}

func TestTableReads(t *testing.T) {
	kim := []Cells{{"name": "김철수", "email": "kim@hanbit.example"}}
	cp949 := "name,email\n\xb1\xe8\xc3\xb6\xbc\xf6,kim@hanbit.example\n"
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String("name\temail\r\n김철수\tkim@hanbit.example\r\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, file string
		want       []Cells
	}{
		{"commas", "name,email\n김철수,kim@hanbit.example\n", kim},
		{"no line end", "name,email\n김철수,kim@hanbit.example", kim},
		{"CRLF and semicolons", "name;email\r\n김철수;kim@hanbit.example\r\n", kim},
		{"carriage returns alone", "name\temail\r김철수\tkim@hanbit.example\r", kim},
		{"tabs", "name\temail\n김철수\tkim@hanbit.example\n", kim},
		{"BOM", "\ufeffname,email\n김철수,kim@hanbit.example\n", kim},
		{"CP949", cp949, kim},
		{"CP949 after a long ASCII beginning", strings.Replace(cp949, "\n", "\n"+strings.Repeat("Ann,ann@hanbit.example\n", 9000), 1),
			append(slices.Repeat([]Cells{{"name": "Ann", "email": "ann@hanbit.example"}}, 9000), kim...)},
		{"a syllable that EUC-KR lacks", "name\n\x8c\x63\xb1\xe8\xc0\xcc\xb9\xda\n", []Cells{{"name": "똠김이박"}}},
		{"UTF-16", utf16, kim},
		{"other order and case of columns", "Email,NAME\nkim@hanbit.example,김철수\n", kim},
		{"headings by other names", "메일 주소,이름\nkim@hanbit.example,김철수\n", kim},
		{"space around values", " name ,email\n  김철수\u3000, kim@hanbit.example \n", kim},
		{"decomposed Hangul", "name,email\n\u1100\u1175\u11b7\u110e\u1165\u11af\u1109\u116e,kim@hanbit.example\n", kim},
		{"quotes", "\"name\",\"email\"\n\"김철수\",\"kim@hanbit.example\"\n", kim},
		{"quotation marks and separators in a value", "name,note\n\"김 \"\"철수\"\", 부장\",a\n", []Cells{{"name": `김 "철수", 부장`, "note": "a"}}},
		{"empty rows", "\n\nname,email\n\n,\n김철수,kim@hanbit.example\n,,\n\n", kim},
		{"empty columns at the end", "name,email,,\n김철수,kim@hanbit.example,,\n", kim},
		{"emoji and right to left", "name\n👩‍🚀 שלום\n", []Cells{{"name": "👩‍🚀 שלום"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows, refused := readAll(t, strings.NewReader(test.file))
			if len(refused) > 0 || !slices.EqualFunc(rows, test.want, maps.Equal) {
				t.Errorf("got %v, refused %v", rows[:min(3, len(rows))], refused)
			}
		})
	}
}

func TestTableRefuses(t *testing.T) {
	for _, test := range []struct {
		name, file string
		rows       int
		want       Refusal
	}{
		{"empty", "", 0, Refusal{Reason: "import.file.empty"}},
		{"only line ends", "\r\n\n", 0, Refusal{Reason: "import.file.empty"}},
		{"unknown column", "name,salary\n", 0, Refusal{Line: 1, Column: "salary", Value: "", Reason: "import.column.unknown"}},
		{"doubled column", "name,note,Name\n", 0, Refusal{Line: 1, Column: "Name", Value: "", Reason: "import.column.twice"}},
		{"column under two names", "name,이름\n", 0, Refusal{Line: 1, Column: "이름", Reason: "import.column.twice"}},
		{"missing column", "email\n", 0, Refusal{Line: 1, Column: "name", Value: "", Reason: "import.column.missing"}},
		{"too few values", "name,email\nAnn\nBob,b@b.example\n", 1, Refusal{Line: 2, Column: "email", Value: "", Reason: "import.row.too_few"}},
		{"too many values", "name,email\nAnn,a@a.example,x\nBob,b@b.example\n", 1, Refusal{Line: 2, Column: "", Value: "x", Reason: "import.row.too_many"}},
		{"bare quotation mark", "name,email\nA\"nn,a@a.example\nBob,b@b.example\n", 1, Refusal{Line: 2, Column: "", Value: "", Reason: "import.row.quotes"}},
		{"quotation mark never closed", "name,email\nAnn,a@a.example\n\"Bob,b@b.example\nCyd,c@c.example\n", 1, Refusal{Line: 3, Column: "", Value: "", Reason: "import.row.open_quote"}},
		{"a field of 10 MB", "name\nAnn\n" + strings.Repeat("x", 10<<20) + "\nBob\n", 1, Refusal{Line: 3, Column: "", Value: "", Reason: "import.row.too_long"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows, refused := readAll(t, strings.NewReader(test.file))
			if len(rows) != test.rows || len(refused) != 1 || refused[0] != test.want {
				t.Errorf("got %d rows, refused %v", len(rows), refused)
			}
		})
	}
}

func TestBrokenCharactersStayWhereTheyAre(t *testing.T) {
	rows, refused := readAll(t, strings.NewReader("name,email\n김철수,kim@hanbit.example\n이\xff영희,lee@hanbit.example\n"))
	if len(refused) > 0 || len(rows) != 2 || rows[0]["name"] != "김철수" || !strings.ContainsRune(rows[1]["name"], utf8.RuneError) {
		t.Errorf("got %v, refused %v", rows, refused)
	}
}

func FuzzTable(f *testing.F) {
	for _, seed := range []string{
		"name,email\n김철수,kim@hanbit.example\n", "name;email\r\n\"a;b\";c\r\n", "\ufeffname\n\x00\n", "name\n\xb1\xe8\xc3\xb6\xbc\xf6\n",
		"\xff\xfen\x00", "name\n\"", "name,email\n,,\n\"a\nb\",c\n", "name\n\xea\xb9", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		rows, refused := readAll(t, bytes.NewReader(file))
		slowRows, slowRefused := readAll(t, &oneByOne{file})
		if !slices.EqualFunc(rows, slowRows, maps.Equal) || !slices.Equal(refused, slowRefused) {
			t.Errorf("depends on how it arrives: %v %v, %v %v", rows, refused, slowRows, slowRefused)
		}
		for _, row := range rows {
			if !slices.ContainsFunc(slices.Collect(maps.Values(row)), func(s string) bool { return s != "" }) {
				t.Errorf("row without values: %v", row)
			}
		}
		for _, r := range refused {
			if r.Reason == "" || !utf8.ValidString(r.Value) || utf8.RuneCountInString(r.Value) > shownValue {
				t.Errorf("refusal %+v", r)
			}
		}
		if len(rows)+len(refused) > bytes.Count(file, []byte("\n"))+bytes.Count(file, []byte("\r"))+2 {
			t.Errorf("%d rows and %d refusals of %d bytes", len(rows), len(refused), len(file))
		}
	})
}

// oneByOne is a file that arrives byte by byte.
type oneByOne struct{ rest []byte }

func (o *oneByOne) Read(p []byte) (int, error) {
	if len(o.rest) == 0 || len(p) == 0 {
		return 0, io.EOF
	}
	p[0], o.rest = o.rest[0], o.rest[1:]
	return 1, nil
}
