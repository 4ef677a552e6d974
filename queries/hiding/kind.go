package hiding

// Kind is why somebody is hidden.
type Kind string

// The kinds of hidings. Their message ids are hiding.kind.KIND.
const (
	Leaver      Kind = "leaver"
	Leave       Kind = "leave"
	ContractEnd Kind = "contract_end"
	Test        Kind = "test"
	Other       Kind = "other"
)

// Kinds lists all kinds in the order of the form.
var Kinds = []Kind{Leaver, Leave, ContractEnd, Test, Other}
