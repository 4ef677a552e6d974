package api

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/queries/identity"
)

// u is the path of the caller, under which most operations of spec §7 are.
const u = "/companies/{company_id}/users/{id}"

func (c *calls) register() {
	signedIn := huma.Middlewares{c.person}
	own := huma.Middlewares{c.person, c.own}
	administrators := huma.Middlewares{c.person, c.own, c.administrator}

	huma.Register(c.api, call{id: "login", method: http.MethodPost, path: "/oauth/login", tag: "Session",
		summary:     "Sign in",
		description: "Gives a token that lasts eight hours. An unknown email is answered like a wrong password; five failures lock the account for ten minutes. Whoever has a second factor sends a code of it, too; where the company's rule asks for one that somebody has not, every other call is answered 403 factor.due.api.",
		errors:      []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests},
	}.operation(nil), c.login)
	huma.Register(c.api, call{id: "profile", path: "/profile", tag: "Session", summary: "Who is signed in",
		description: "The caller, their company and the departments whose attendance they may see or edit.",
	}.operation(signedIn), c.profile)
	huma.Register(c.api, call{id: "logout", method: http.MethodPost, path: "/logout", tag: "Session", status: http.StatusNoContent,
		summary: "Sign out", description: "Ends the token, or the session, that the call was made with.",
	}.operation(signedIn), c.logout)
	huma.Register(c.api, call{id: "oauth-info", path: "/oauth/info", tag: "Session", summary: "Where the organization's page is",
		description: "organization_url is the page that shows the company's organization, company_host the host name that stands for the company.",
	}.operation(signedIn), c.oauthInfo)

	huma.Register(c.api, organizationCall[department](c, "departments", "Departments by path",
		"An administrator reads every department, others those of their commute permission with all below and their management departments. q finds departments by the names of their path.", own), c.departments)
	huma.Register(c.api, organizationCall[user](c, "users", "People and bots by name",
		"An administrator reads everybody, others the people whose default department they may see. q finds people by name, initial consonants, email and employee id.", own), c.users)
	huma.Register(c.api, pictureOf(call{id: "user-image", path: u + "/organizations/users/{user_id}/image", tag: "Organization", summary: "The picture of a person",
		description: "A PNG or JPEG. 404 where the person has none. thumbnail_url of a person is the same picture, for a browser that is signed in.",
	}.operation(own)), c.userImage)
	huma.Register(c.api, organizationCall[rank](c, "ranks", "Ranks, the highest first",
		"Every rank of the company, readable by every person of it.", own), c.ranks)
	huma.Register(c.api, organizationCall[rank](c, "roles", "Roles, the highest first",
		"Every role of the company, readable by every person of it.", own), c.roles)
	huma.Register(c.api, organizationCall[manager](c, "saved-managers", "Who may see others' attendance, the earliest registration first",
		"For administrators. One row for each individual that was registered and for each position criterion; the registrations themselves are /policies/workingattitude/managers.", administrators), c.managers)
	huma.Register(c.api, call{id: "browser-options", path: u + "/options/browser", tag: "Options",
		summary: "What a browser needs to show maps", description: "For administrators. A page picks one of the licenses at random.",
	}.operation(administrators), c.browserOptions)
	huma.Register(c.api, call{id: "check-ip-ranges", method: http.MethodPost, path: u + "/ip-ranges/check", tag: "Options",
		summary: "What address ranges mean as they are written", description: "For administrators. Reads rows, or pasted lines, as saving a policy does, and saves nothing.",
	}.operation(administrators), c.checkRanges)
	c.registerViewers(administrators)
	c.registerHiddenUsers(administrators)
	c.registerDeactivatedUsers(administrators)
	c.registerChanges(administrators)
	c.registerReads(administrators)
	c.registerRetention(administrators)
	c.registerDisclosure(administrators)
	c.registerMaps(administrators)
	c.registerHolidays(administrators, huma.Middlewares{c.service(identity.ScopeRead)})
	c.registerPolicyChecks(administrators)
	c.registerProviders(administrators)
	c.registerImports(administrators)
	c.registerFactorRule(administrators)
	c.registerLinks(administrators)
	c.registerServices(administrators)
	c.registerNotices(administrators)
	c.registerBots(administrators)
	c.registerBotCalls()
	c.registerWebhook(administrators)
	c.registerPolicies(append(administrators, c.knownPolicy))
	c.registerEffective(own)
	c.registerMessenger(huma.Middlewares{c.service(identity.ScopeRead)})
	c.registerClock(huma.Middlewares{c.service(identity.ScopeEvents)}, own)
	c.registerReadableNotices(huma.Middlewares{c.service(identity.ScopeRead)}, huma.Middlewares{c.service(identity.ScopeEvents)})
	c.registerFiles(administrators, huma.Middlewares{c.service(identity.ScopeEvents)})
	c.registerClients(huma.Middlewares{c.service(identity.ScopeEvents)})
	c.registerInstallations(administrators, huma.Middlewares{c.service(identity.ScopeRead)})
	c.registerAccess(administrators, huma.Middlewares{c.service(identity.ScopeEvents)})
	c.registerSignInLocks(administrators)
	c.registerPasswordLinks(administrators)
	c.registerTokens(administrators)
	c.registerHandover()
	c.registerServiceToken()
	c.registerAttachments(own)
	c.registerReaders(administrators)
	c.registerAttendance(own, administrators)
}

// What the messenger reads, by a service token with the scope read.
func (c *calls) registerMessenger(reads huma.Middlewares) {
	huma.Register(c.api, call{id: "policies-of", path: "/companies/{company_id}/effective/{user_id}", tag: "Messenger",
		summary: "The policies that apply to a person", description: "Keep them by their ETag; read them again after policy.changed and, of whoever it names, user.moved, or every ten minutes.",
	}.operation(reads), c.policiesOf)
	huma.Register(c.api, call{id: "hidden-of", path: "/companies/{company_id}/hidden-users", tag: "Messenger",
		summary: "Whom the messenger must not let in", description: "The ids of all hidden and deactivated users. The stream sends user.hidden, user.shown, user.deactivated, user.reactivated and session.revoke when they change.",
	}.operation(reads), c.messengerHidden)
	huma.Register(c.api, call{id: "shortcuts-of", path: "/companies/{company_id}/shortcuts/{user_id}", tag: "Messenger",
		summary: "The links and services that a person sees", description: "Keep them by their ETag; read them again after link.changed, or every ten minutes.",
	}.operation(reads), c.shortcuts)
	huma.Register(c.api, pictureOf(call{id: "banner", path: "/companies/{company_id}/banners/{hash}", tag: "Messenger", summary: "The banner of a link",
		description: "A PNG or JPEG, at the banner_url of a link that a person sees.",
	}.operation(reads)), c.banner)
	huma.Register(c.api, call{id: "company-bot", path: "/companies/{company_id}/bots/service", tag: "Messenger", summary: "The profile of the service bot",
		description: "Read it again after bot.changed. What is sent through the bot comes on the stream as bot.message and bot.notification: id, bot_id, at, text in Markdown, and to.",
	}.operation(reads), c.companyBot)
	huma.Register(c.api, pictureOf(call{id: "company-bot-image", path: "/companies/{company_id}/bots/service/images/{hash}", tag: "Messenger", summary: "The image of the service bot",
		description: "A PNG or JPEG, at the image_url of the bot's profile.",
	}.operation(reads)), c.companyBotImage)
	stream := call{id: "stream", path: "/companies/{company_id}/stream", tag: "Messenger", summary: "What changes, as it changes",
		description: "Server-sent events: id, event (such as policy.changed) and data. The first id comes at once, without an event: where the stream begins. Last-Event-ID goes on behind an event of the last thirty days; without it the stream begins now, and with an id that is too old, or that this database does not have yet because it was restored, all events of the last thirty days follow. A token may have " + strconv.Itoa(mostStreams) + " streams at the same time. " +
			"data is an object; a type may get more fields, and there may be more types. The types, with the fields of data:\n" + streamEventList(),
	}.operation(append(reads, c.admitStream))
	stream.Responses = map[string]*huma.Response{"200": {Description: "Events until either side ends them.", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	huma.Register(c.api, stream, c.stream)
}

// Policies are an administrator's.
func (c *calls) registerPolicies(middlewares huma.Middlewares) {
	c.describeSettings()
	const all, one = u + "/policies/{kind}", u + "/policies/{kind}/{policy_id}"
	conflicts := []int{http.StatusConflict, http.StatusPreconditionRequired}
	huma.Register(c.api, call{id: "policies", path: all, tag: "Policies", summary: "Policies by name, the default first",
		description: "A page of the policies of the kind; q and status filter them, next_cursor leads to the next page. Deleted policies are left out, unless status asks for them. With at the answer is about a date, past or future.",
	}.operation(middlewares), c.policies)
	huma.Register(c.api, call{id: "policy-status", path: all + "/status", tag: "Policies", summary: "Which policy applies to whom, by name",
		description: "own: the person is a target. inherited: a department above is, the nearest. default: nothing else applies.",
	}.operation(middlewares), c.status)
	huma.Register(c.api, call{id: "create-policy", method: http.MethodPost, path: all, tag: "Policies", status: http.StatusCreated, summary: "Create a policy",
		description: "A target that another policy of the kind holds answers 409 with the list, unless move is true.", errors: conflicts[:1],
	}.operation(middlewares), c.createPolicy)
	huma.Register(c.api, call{id: "policy", path: one, tag: "Policies", summary: "A policy as it is now",
		description: "The version in force with every setting, or the planned version while none is in force yet. ETag is the newest version, for If-Match. A deleted policy answers 404.",
	}.operation(middlewares), c.policy)
	huma.Register(c.api, call{id: "update-policy", method: http.MethodPut, path: one, tag: "Policies", summary: "Give a policy another version",
		description: "Needs If-Match. When somebody else saved in between, 409 tells who, when and what. A draft that changes nothing makes no version: the answer is the policy as it is.", errors: conflicts,
	}.operation(middlewares), c.updatePolicy)
	c.registerEffects(middlewares, all, one)
	c.registerRecomputations(middlewares, one)
	c.registerAssignments(middlewares, all)
	huma.Register(c.api, call{id: "policy-versions", path: one + "/versions", tag: "Policies", summary: "Every version, the newest first",
		description: "Past, present, planned and cancelled versions, each with its targets, who saved it and why. Versions never change.",
	}.operation(middlewares), c.policyVersions)
	huma.Register(c.api, call{id: "restore-policy-version", method: http.MethodPost, path: one + "/versions/{no}/restore", tag: "Policies", summary: "Save an earlier version again",
		description: "The earlier version becomes a new one, from the usual start of the kind on; where its content is in force already, the policy is answered as it is. Needs If-Match. Targets that other policies hold by now answer 409 with the list.", errors: conflicts,
	}.operation(middlewares), c.restoreVersion)
	huma.Register(c.api, call{id: "move-policy-plan", method: http.MethodPatch, path: one + "/plan", tag: "Policies", summary: "Give the planned change another time",
		description: "Plans of other policies that release targets for it move along. Needs If-Match. 409 where nothing is planned, or when somebody else saved in between.", errors: conflicts,
	}.operation(middlewares), c.movePlan)
	huma.Register(c.api, call{id: "cancel-policy-plan", method: http.MethodDelete, path: one + "/plan", tag: "Policies", summary: "Cancel the planned change",
		description: "The version in force stays. Needs If-Match. 409 where nothing is planned, or when another plan takes targets that this one releases; 422 for a policy that has never been in force, which can only be deleted.", errors: conflicts,
	}.operation(middlewares), c.cancelPlan)
}

// call describes what differs between operations.
type call struct {
	id, method, path, tag, summary, description string
	status                                      int
	errors                                      []int
}

func (c call) operation(middlewares huma.Middlewares) huma.Operation {
	op := huma.Operation{
		OperationID: c.id, Method: c.method, Path: c.path, Tags: []string{c.tag},
		Summary: c.summary, Description: c.description, DefaultStatus: c.status,
		Errors: c.errors, Middlewares: middlewares, MaxBodyBytes: maxBody,
		RejectUnknownQueryParameters: true, // a misspelt filter would choose everything
	}
	if op.Method == "" {
		op.Method = http.MethodGet
	}
	if len(middlewares) > 0 {
		op.Security = []map[string][]string{{"bearer": {}}, {"session": {}}}
		op.Errors = append(op.Errors, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, statusEnded)
		if !slices.Contains(op.Errors, http.StatusTooManyRequests) {
			op.Errors = append(op.Errors, http.StatusTooManyRequests)
		}
	}
	return op
}

// organizationCall describes a list whose rows are T.
func organizationCall[T any](c *calls, name, summary, description string, middlewares huma.Middlewares) huma.Operation {
	return listOf[T](c, call{id: name, path: u + "/organizations/" + name, tag: "Organization", summary: summary, description: description}.operation(middlewares))
}

// listOf describes the response of a list of T.
func listOf[T any](c *calls, op huma.Operation) huma.Operation {
	schema := c.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[list[T]](), true, "")
	op.Responses = map[string]*huma.Response{
		"200": {
			Description: "The whole list, or a page of it where limit is given.",
			Content:     map[string]*huma.MediaType{"application/json": {Schema: schema}},
			Headers:     map[string]*huma.Param{"ETag": {Description: "Names this state of the list.", Schema: &huma.Schema{Type: "string"}}},
		},
		"304": {Description: "The list is still the one that If-None-Match names."},
	}
	return op
}
