// Command vulnerabilities fails if the program contains a known vulnerability:
// in Go code that is called, or in a bundled npm package. If the vulnerability
// databases cannot be reached, it says so and succeeds.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// answerTimeout is the time that a vulnerability database has to answer.
const answerTimeout = 10 * time.Second

func main() {
	err := errors.Join(checkGo(".."), checkNPM("../islands"), checkNPM("postgres-npm"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "vulnerabilities:", err)
		os.Exit(1)
	}
}

// checkGo runs govulncheck on a module.
func checkGo(dir string) error {
	database := cmp.Or(os.Getenv("GOVULNDB"), "https://vuln.go.dev")
	if err := reach(database + "/index/db.json"); err != nil && !strings.HasPrefix(database, "file:") {
		fmt.Println("Go vulnerabilities not checked:", err)
		return nil
	}
	check := exec.Command("go", "tool", "govulncheck", "-C", dir, "-db", database, "./...")
	check.Stdout, check.Stderr = os.Stdout, os.Stderr
	if err := check.Run(); err != nil {
		return fmt.Errorf("govulncheck: %w", err)
	}
	return nil
}

func reach(url string) error {
	ctx, cancel := context.WithTimeout(context.Background(), answerTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	if err := answer.Body.Close(); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, answer.Status)
	}
	return nil
}

// checkNPM runs npm audit on the dependencies in a folder, except those that
// are only used to build and test.
func checkNPM(dir string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*answerTimeout)
	defer cancel()
	audit := exec.CommandContext(ctx, "npm", "audit", "--omit=dev", "--json", "--fetch-retries=0")
	audit.Dir = dir
	out, failure := audit.Output() // also fails for vulnerabilities
	var report struct {
		Message  string // error of npm itself
		Metadata struct {
			Vulnerabilities struct{ Total *int }
		}
		Vulnerabilities map[string]struct{ Severity string }
	}
	if err := json.Unmarshal(out, &report); err != nil || report.Metadata.Vulnerabilities.Total == nil {
		fmt.Printf("npm vulnerabilities of %s not checked: %s\n", dir, cmp.Or(report.Message, fmt.Sprint("npm audit: ", failure)))
		return nil
	}
	if *report.Metadata.Vulnerabilities.Total == 0 {
		return nil
	}
	return fmt.Errorf("npm audit in %s: %v", dir, report.Vulnerabilities)
}
