package directory

import (
	"net/mail"
	"slices"
	"strings"
	"unicode/utf8"

	"officeconsole/importfile"
	"officeconsole/queries"
	"officeconsole/search"
)

// directoryColumns are the columns of a directory file (docs/import.md).
var directoryColumns = importfile.Columns{
	Names: []string{
		"employee_id", "name", "family_name", "given_name", "email", "department_path", "department_code", "position", "role", "company_phone", "personal_phone", "is_admin", "bot",
	},
	Required: []string{"name", "email", "department_path"},
	Parts:    map[string][]string{"name": {"family_name", "given_name"}},
	Aliases: importfile.AliasesOf(map[string]string{
		"employee_id":     "사번 사원번호 직원번호 社員番号 従業員番号 社員コード 社員id employeeid employeenumber employeeno",
		"name":            "이름 성명 사원명 氏名 名前 社員名",
		"family_name":     "姓",
		"given_name":      "名",
		"email":           "이메일 이메일주소 メール メールアドレス e-mail emailaddress",
		"department_path": "부서 부서경로 소속 소속부서 部署 部署パス 所属 所属部署 department",
		"department_code": "부서코드 部署コード 所属コード department_id",
		"position":        "직급 직위 職級 職位 rank",
		"role":            "직책 役職",
		"company_phone":   "회사전화 회사전화번호 会社電話 会社の電話 会社の電話番号 会社電話番号 companyphone",
		"personal_phone":  "휴대전화 휴대전화번호 휴대폰 개인전화 개인전화번호 携帯電話 携帯電話番号 個人の電話 個人の電話番号 personalphone",
		"is_admin":        "관리자 관리자권한 管理者 管理者権限 administrator",
		"bot":             "봇 ボット",
	}),
}

// importRow is a row that is valid by itself.
type importRow struct {
	line                        int
	employeeID, name, email     string
	path                        []string // names of departments; empty only for a bot
	codes                       []string // of the departments in path, "" where the row has none
	position, role              string
	companyPhone, personalPhone string
	isAdmin, bot                *bool // nil if the file does not say it
}

// The maximum lengths in characters, and that of a whole path in bytes, which
// an index entry limits.
const (
	maxName       = 100
	MaxTitle      = 50
	maxEmail      = 254
	maxPathBytes  = 2000
	maxPathLevels = 20
)

// rowReader reads one row and collects all of its refusals.
type rowReader struct {
	line    int
	values  importfile.Cells
	refused []importfile.Refusal
}

func readRow(line int, values importfile.Cells) (importRow, []importfile.Refusal) {
	if values["name"] == "" {
		values["name"] = strings.TrimSpace(values["family_name"] + " " + values["given_name"])
	}
	r := &rowReader{line: line, values: values}
	row := importRow{
		line:         line,
		employeeID:   r.text("employee_id", MaxTitle),
		name:         r.text("name", maxName),
		email:        r.text("email", maxEmail),
		position:     r.text("position", MaxTitle),
		role:         r.text("role", MaxTitle),
		companyPhone: r.text("company_phone", MaxTitle), personalPhone: r.text("personal_phone", MaxTitle),
		isAdmin: r.truth("is_admin"),
		bot:     r.truth("bot"),
	}
	row.path = r.path("department_path")
	row.codes = r.codes("department_code", len(row.path))
	isBot := row.bot != nil && *row.bot
	r.require("name", !search.IsBlank(row.name))
	r.require("email", row.email != "" || isBot && row.employeeID != "")
	r.require("department_path", len(row.path) > 0 || isBot)
	if row.email != "" && !isEmail(row.email) {
		r.refuse("email", "import.email.invalid")
	}
	return row, r.refused
}

// apply sets what a row contains in a user. A column that the file lacks
// changes nothing; neither does an empty employee id, email or boolean.
func (row importRow) apply(p *importUsersRow, has func(column string) bool) {
	p.Name = row.name
	if row.email != "" {
		p.Email = row.email
	}
	if row.employeeID != "" {
		p.EmployeeID = row.employeeID
	}
	if has("company_phone") {
		p.CompanyPhone = row.companyPhone
	}
	if has("personal_phone") {
		p.PersonalPhone = row.personalPhone
	}
	if row.isAdmin != nil {
		p.IsAdmin = *row.isAdmin
	}
	if row.bot != nil {
		p.Bot = *row.bot
	}
}

// refuse adds the first refusal of a column.
func (r *rowReader) refuse(column string, reason queries.Invalid) {
	if !slices.ContainsFunc(r.refused, func(x importfile.Refusal) bool { return x.Column == column }) {
		r.refused = append(r.refused, importfile.Refuse(r.line, column, r.values[column], string(reason)))
	}
}

func (r *rowReader) require(column string, given bool) {
	if !given {
		r.refuse(column, "import.value.missing")
	}
}

func (r *rowReader) text(column string, longest int) string {
	value := r.values[column]
	if !PlainText(value) {
		r.refuse(column, "import.value.characters")
	} else if utf8.RuneCountInString(value) > longest {
		r.refuse(column, "import.value.too_long")
	}
	return value
}

func (r *rowReader) path(column string) []string {
	value := r.values[column]
	if !PlainText(value) {
		r.refuse(column, "import.value.characters")
		return nil
	}
	value = strings.Trim(value, "/ ")
	if value == "" {
		return nil
	}
	names := strings.Split(value, "/")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
		if search.IsBlank(names[i]) {
			r.refuse(column, "import.department_path.gap")
		} else if utf8.RuneCountInString(names[i]) > maxName {
			r.refuse(column, "import.department_path.too_long")
		}
	}
	if len(names) > maxPathLevels || len(value) > maxPathBytes {
		r.refuse(column, "import.department_path.too_deep")
	}
	return names
}

// codes returns a code for each department of a path: the value is the code of the
// last one, or has as many codes as the path has names.
func (r *rowReader) codes(column string, levels int) []string {
	value := r.text(column, maxPathBytes)
	codes := make([]string, levels)
	if value == "" || levels == 0 {
		return codes
	}
	given := strings.Split(value, "/")
	if len(given) == 1 {
		given = append(codes[:levels-1], given...)
	}
	if len(given) != levels {
		r.refuse(column, "import.department_code.levels")
		return codes
	}
	for i := range given {
		given[i] = strings.TrimSpace(given[i])
		if utf8.RuneCountInString(given[i]) > MaxTitle {
			r.refuse(column, "import.value.too_long")
		}
	}
	return given
}

func (r *rowReader) truth(column string) *bool {
	var is bool
	switch strings.ToLower(r.values[column]) {
	case "":
		return nil
	case "true", "t", "1", "yes", "y", "o", "예", "はい":
		is = true
	case "false", "f", "0", "no", "n", "x", "아니오", "아니요", "いいえ":
	default:
		r.refuse(column, "import.value.truth")
	}
	return &is
}

// isEmail reports whether a text is an email address as mail servers assign
// them: ASCII, without quotes, at a host name.
func isEmail(s string) bool {
	parsed, err := mail.ParseAddress(s)
	if err != nil || parsed.Address != s || strings.ContainsAny(s, "\" <>()") {
		return false
	}
	local, host, _ := strings.Cut(s, "@")
	return len(local) <= 64 && isHost(strings.ToLower(host)) && !strings.ContainsFunc(local, func(r rune) bool { return r >= utf8.RuneSelf })
}
