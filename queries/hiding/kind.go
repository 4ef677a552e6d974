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

// State is how somebody is absent from the console: hidden for a while or for a
// reason of the company, or deactivated, because they have left.
type State string

// The states. A user can be in both.
const (
	Hidden      State = "hidden"
	Deactivated State = "deactivated"
)

// States lists the states in the order of the page.
var States = []State{Hidden, Deactivated}

// Source is what hides or deactivates somebody. Its message id is
// hiding.source.SOURCE.
type Source string

// The sources.
const (
	Administrator Source = "administrator" // on a page, by the API or by a command
	Import        Source = "import"        // a file without the person
	Provisioning  Source = "provisioning"  // another directory, by SCIM
)

// Sources lists all sources in the order of the page.
var Sources = []Source{Administrator, Import, Provisioning}
