// Package client is the folder into which the gate generates a Go client of the
// JSON API, to check that it can be generated and compiled. The generated code
// is not committed.
package client

import _ "github.com/oapi-codegen/runtime" // imported by the generated code
