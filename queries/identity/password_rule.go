package identity

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"officeconsole/queries"
	"officeconsole/queries/directory"

	"github.com/ccojocar/zxcvbn-go"
)

const maxPassword = 16

// easyEntropy is the estimated entropy in bits below which a password is easy to
// guess: it is one of the first 8,192 that somebody tries who knows the passwords
// of earlier leaks, and how people change words to satisfy rules.
const easyEntropy = 13

// productWords may not be part of a password, nor may the company's name and host,
// unless they are shorter than three characters.
var productWords = []string{"officeconsole", "오피스콘솔", "オフィスコンソール"}

// refuseOwnPassword returns the refusal of a password that somebody chooses for
// themselves, or "": what refusePassword refuses, the name of the company or the
// product, and what is easy to guess.
func refuseOwnPassword(password string, person directory.Person) queries.Invalid {
	if reason := refusePassword(password, person); reason != "" {
		return reason
	}
	host, _, _ := strings.Cut(person.CompanyHost, ".")
	words := slices.Concat(productWords, []string{person.CompanyName, host})
	words = slices.DeleteFunc(words, func(word string) bool { return utf8.RuneCountInString(word) < 3 })
	if containsWord(password, words...) {
		return "password.new.company"
	}
	if zxcvbn.PasswordStrength(password, nil).Entropy < easyEntropy {
		return "password.new.easy"
	}
	return ""
}

// refusePassword returns the refusal of a password by spec §5 and domain §9, or
// "": 9 to 16 characters with letters, digits and special characters, without
// the user's own name or email.
func refusePassword(password string, person directory.Person) queries.Invalid {
	if n := utf8.RuneCountInString(password); n < 9 || n > maxPassword {
		return "password.new.length"
	}
	var letter, digit, special bool
	for _, r := range password {
		switch {
		case unicode.IsLetter(r):
			letter = true
		case unicode.IsDigit(r):
			digit = true
		case unicode.IsPrint(r) && r != ' ':
			special = true
		default:
			return "password.new.kinds"
		}
	}
	if !letter || !digit || !special {
		return "password.new.kinds"
	}
	local, _, _ := strings.Cut(person.Email, "@")
	if containsWord(password, person.Name, local, person.Email) {
		return "password.new.personal"
	}
	return ""
}

// containsWord reports whether a password contains one of some words, in any case.
func containsWord(password string, words ...string) bool {
	password = strings.ToLower(password)
	return slices.ContainsFunc(words, func(word string) bool {
		return word != "" && strings.Contains(password, strings.ToLower(word))
	})
}
