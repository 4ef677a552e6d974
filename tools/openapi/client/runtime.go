// Package client is where the gate generates a Go client of the JSON API, to
// see that one can be generated and compiled. The generated code is not committed.
package client

import _ "github.com/oapi-codegen/runtime" // what the generated code imports
