package handlers

import (
	"net/http"

	"github.com/alexedwards/scs/pgxstore"
	"github.com/alexedwards/scs/v2"
	"github.com/go-chi/chi/v5"

	"officeconsole/queries/areas"
	"officeconsole/queries/attendance"
	"officeconsole/queries/identity"
	"officeconsole/queries/usage"
	"officeconsole/traffic"
	"officeconsole/views"
	noticeviews "officeconsole/views/notice"
	usageviews "officeconsole/views/usage"
)

// New returns the handler for every URL of the console.
func New(db *areas.Areas, config Config) http.Handler {
	h := &handlers{Config: config, db: db, sessions: scs.New(), exports: traffic.NewLimit(mostExports)}
	h.sessions.Store = sessionStore{pgxstore.NewWithCleanupInterval(db.Pool(), 0), db.Identity}
	h.sessions.Codec = sessionCodec{}
	h.sessions.HashTokenInStore = true
	h.sessions.Lifetime = identity.SessionAge
	h.sessions.Cookie.Name = h.cookieName("officeconsole_session")
	h.sessions.Cookie.Secure = config.Secure
	h.sessions.ErrorFunc = h.fail

	r := chi.NewRouter()
	r.Use(h.endConnections, identify, clientAddress(config.TrustedProxies), logRequests, compress, h.protect, h.rescue)
	r.Get("/healthz", alive)
	r.Head("/healthz", alive)
	r.Get("/readyz", h.ready)
	r.Head("/readyz", h.ready)
	r.Handle("/static/*", config.Static)
	r.Post(hooksPath+"{token}", h.hook)
	r.HandleFunc(hooksPath+"*", noHook)
	for _, path := range []string{"/api", "/api/*"} {
		r.Handle(path, h.withSession(h.recognize(config.API)))
	}
	if config.SCIM != nil {
		r.Handle("/scim/v2", config.SCIM)
		r.Handle("/scim/v2/*", config.SCIM)
	}
	r.Handle("/*", headAsGet(h.localize(refusePrefetch(h.withSession(h.recognize(h.pages()))))))
	return r
}

// pages returns the pages of spec §2 without the language prefix, and who may
// enter each (spec §5).
func (h *handlers) pages() http.Handler {
	r := chi.NewRouter()
	r.Use(h.rescue, limitBody)
	r.Group(h.pagesOfAll)
	r.Group(h.pagesOfEmployees)
	r.Group(h.pagesOfAdministrators)
	return r
}

// reservePaths answers every method of the given paths with the page-not-found
// page, unless a later route answers it.
func (h *handlers) reservePaths(r chi.Router, paths ...string) {
	for _, path := range paths {
		r.Handle(path, h.page(pageNotFound))
	}
}

// pagesOfAll registers the pages for everybody, signed in or not.
func (h *handlers) pagesOfAll(r chi.Router) {
	h.reservePaths(r, "/login", "/login/factor", "/login/passkey", "/locale", passwordPath)
	r.With(h.redirectSignedIn).Get("/login", h.page(h.login))
	r.Post("/login", h.page(h.signIn))
	r.With(h.redirectSignedIn).Get("/login/factor", h.page(h.factor))
	r.With(h.redirectSignedIn).Post("/login/factor", h.page(h.completeSignIn))
	r.With(h.redirectSignedIn).Get("/login/passkey", h.page(h.passkeySignIn))
	r.Post("/login/passkey", h.page(h.signInByPasskey))
	r.Post("/locale", h.page(h.chooseLocale))
	r.Get(passwordPath, h.page(h.newPassword))
	r.Post(passwordPath, h.page(h.resetPassword))
	h.reservePaths(r.With(h.redirectEmployees), "/oauth", "/sso")
	r.With(h.redirectEmployees, h.redirectSignedIn).Get("/sso", h.page(h.singleSignOn))
	r.Post("/sso", h.page(h.beginSignOn)) // also for people who are signed in, see views.Proof
	r.Get("/oauth", h.page(h.oauth))
	h.reservePaths(r, identity.SAMLPath, identity.SAMLPath+"/metadata")
	r.Post(identity.SAMLPath, h.page(h.takeSAMLResponse))
	r.Get(identity.SAMLPath+"/metadata", h.page(h.samlMetadata))
}

// pagesOfEmployees registers the pages for everybody who is signed in. Their
// content depends on the reader's scope.
func (h *handlers) pagesOfEmployees(r chi.Router) {
	r.Use(h.requireSignIn, h.requireFactor)
	h.reservePaths(r, "/logout", "/session", "/session/activity", "/images/*", "/profile", "/profile/*", "/proof", "/search", "/support")
	proved, lists := r.With(h.requireProof), r.With(h.fromReplica)
	provedLists := proved.With(h.fromReplica)
	r.Post("/logout", h.page(h.signOut))
	r.Get("/session", h.page(h.session))
	r.Post("/session/activity", h.page(h.noteActivity))
	r.Get("/images/users/{id}", h.page(h.userImage))
	r.Get("/search", h.page(h.search))
	r.Get("/support", h.page(h.support))

	r.Get("/profile", h.page(h.profile))
	r.Get("/profile/data", h.page(h.downloadOwnData))
	r.Post("/profile/keys", h.page(h.chooseKeys))
	r.Post("/profile/password", h.page(h.changePassword))
	r.Post("/profile/sessions/{id}/delete", h.page(h.signOutThere))
	r.Post("/profile/sessions/delete", h.page(h.signOutElsewhere))

	r.Get("/proof", h.page(h.proof))
	r.Post("/proof", h.page(h.takeProof))
	r.Get("/profile/factors", h.page(h.factors))
	proved.Post("/profile/factors/app", h.page(h.enrolApp))
	r.Post("/profile/factors/app/cancellation", h.page(h.cancelApp))
	proved.Post("/profile/factors/app/confirmation", h.page(h.confirmApp))
	proved.Post("/profile/factors/app/delete", h.page(h.deleteApp))
	proved.Post("/profile/factors/passkeys", h.page(h.addPasskey))
	r.Post("/profile/factors/passkeys/{id}", h.page(h.renamePasskey))
	proved.Post("/profile/factors/passkeys/{id}/delete", h.page(h.deletePasskey))
	proved.Post("/profile/factors/codes", h.page(h.renewCodes))
	r.Post("/profile/factors/reset", h.page(h.acknowledgeReset))

	h.reservePaths(r, "/notice", "/notice/*")
	r.Get("/notice", h.page(h.readerNotices))
	r.Get("/notice/{id}", h.page(h.readerNotice))
	r.Get("/notice/{id}/attachments.zip", h.page(h.noticeFiles))
	r.Get("/notice/{id}/attachments/{attachment}", h.page(h.noticeFile))

	h.reservePaths(r, "/logs/workingattitude/day", "/logs/workingattitude/day/*")
	lists.Get("/logs/workingattitude/day", h.page(h.attendanceDay))
	r.Get("/logs/workingattitude/day/corrections", h.page(h.waitingCorrections))
	r.Get("/logs/workingattitude/day/reviews", h.page(h.askToReview))
	r.Post("/logs/workingattitude/day/reviews", h.page(h.review))
	r.Post("/logs/workingattitude/day/reviews/{set}/reversal", h.page(h.undoReviews))
	provedLists.Get("/logs/workingattitude/day/export", h.page(ofUnit(attendance.DayUnit, h.exportAttendance)))
	h.exportPages(r, "/logs/workingattitude/day")
	r.Get("/logs/workingattitude/day/{record}", h.page(h.record))
	r.Post("/logs/workingattitude/day/{record}/edit", h.page(h.editRecord))
	r.Post("/logs/workingattitude/day/{record}/delete", h.page(h.deleteRecord))
	r.Post("/logs/workingattitude/day/{record}/restore", h.page(h.restoreRecord))
	r.Post("/logs/workingattitude/day/{record}/correction", h.page(h.requestCorrection))
	r.Post("/logs/workingattitude/day/{record}/correction/{id}/decision", h.page(h.decideCorrection))
	r.Post("/logs/workingattitude/day/{record}/correction/{id}/withdraw", h.page(h.withdrawCorrection))

	h.reservePaths(r, "/logs/workingattitude/week", "/logs/workingattitude/week/*")
	lists.Get("/logs/workingattitude/week", h.page(h.attendanceWeek))
	provedLists.Get("/logs/workingattitude/week/export", h.page(ofUnit(attendance.WeekUnit, h.exportAttendance)))
	h.exportPages(r, "/logs/workingattitude/week")
	r.Get("/logs/workingattitude/week/forecast", h.page(h.forecasts))
	r.Post("/logs/workingattitude/week/forecast/notices", h.page(h.tellManagers))

	h.reservePaths(r, "/logs/workingattitude/month", "/logs/workingattitude/month/*")
	lists.Get("/logs/workingattitude/month", h.page(h.attendanceMonth))
	provedLists.Get("/logs/workingattitude/month/export", h.page(ofUnit(attendance.MonthUnit, h.exportAttendance)))
	h.exportPages(r, "/logs/workingattitude/month")
	lists.Get("/logs/workingattitude/month/payroll", h.page(h.payroll))
	provedLists.Get("/logs/workingattitude/month/payroll/export", h.page(h.exportPayroll))
	h.exportPages(r, "/logs/workingattitude/month/payroll")
}

// pagesOfAdministrators registers the pages for administrators, and the
// page-not-found page: other users are redirected to their log.
func (h *handlers) pagesOfAdministrators(r chi.Router) {
	r.Use(h.requireSignIn, h.requireFactor, h.redirectEmployees)
	proved, lists := r.With(h.requireProof), r.With(h.fromReplica)
	provedLists := proved.With(h.fromReplica)
	r.Get("/", h.page(h.home))
	lists.Get("/logs/workingattitude/management", h.page(h.attendanceLog))
	r.Get("/logs/workingattitude/management/records", h.page(h.askToEditRecords))
	r.Get("/logs/workingattitude/management/records/count", h.page(h.countMatches))
	r.Post("/logs/workingattitude/management/records", h.page(h.editRecords))
	r.Post("/logs/workingattitude/management/locks", h.page(h.lockMonth))
	lists.Get("/logs/workingattitude/management/locks/events", h.page(h.lateEvents))
	r.Post("/logs/workingattitude/management/locks/{month}/delete", h.page(h.unlockMonth))
	provedLists.Get("/logs/workingattitude/management/export", h.page(ofUnit(attendance.LogUnit, h.exportAttendance)))
	h.exportPages(r, "/logs/workingattitude/management")
	r.Get("/logs/workingattitude/management/imports", h.page(h.imports))
	r.Post("/logs/workingattitude/management/imports", h.page(h.uploadImport))
	r.Get("/logs/workingattitude/management/imports/{id:[0-9]+}", h.page(h.showImport))
	r.Post("/logs/workingattitude/management/imports/{id:[0-9]+}", h.page(h.checkImport))
	r.Post("/logs/workingattitude/management/imports/{id:[0-9]+}/delete", h.page(h.deleteImport))
	r.Get("/logs/workingattitude/management/imports/{id:[0-9]+}/reversal", h.page(h.askToRevertImport))
	r.Post("/logs/workingattitude/management/imports/{id:[0-9]+}/reversal", h.page(h.revertImport))
	r.Get("/logs/workingattitude/management/imports/{id:[0-9]+}/report", h.page(h.importReport))
	lists.Get("/logs/communication/file", h.page(h.savedFiles))
	lists.Get("/logs/communication/file/export", h.page(h.exportFiles))
	h.exportPages(r, "/logs/communication/file")
	r.Get("/logs/communication/file/{file:[0-9]+-[0-9]+}", h.page(h.savedFile))
	r.Get("/policies/workingattitude/manager", h.page(h.viewers))
	r.Post("/policies/workingattitude/manager", h.page(h.registerViewer))
	r.Post("/policies/workingattitude/manager/{id}", h.page(h.updateViewer))
	r.Post("/policies/workingattitude/manager/{id}/delete", h.page(h.deleteViewer))
	r.Post("/policies/workingattitude/manager/{id}/restoration", h.page(h.restoreViewer))
	r.Get("/manage/notice", h.page(h.notices))
	r.Post("/manage/notice", h.page(h.createNotice))
	r.Get("/manage/notice/new", h.page(h.newNotice))
	r.Post("/manage/notice/preview", h.page(h.previewNotice))
	r.Post("/manage/notice/summary", h.page(h.summarizeNotice))
	r.Get("/manage/notice/{id:[0-9]+}/edit", h.page(h.editNotice))
	r.Post("/manage/notice/{id:[0-9]+}", h.page(h.updateNotice))
	r.Post("/manage/notice/delete", h.page(h.deleteNotices))
	r.Post("/manage/notice/restoration", h.page(h.restoreNotices))
	r.Get("/manage/notice/{id:[0-9]+}", h.page(h.noticeTab(noticeviews.BodyTab)))
	r.Get("/manage/notice/{id:[0-9]+}/readers", h.page(h.noticeTab(noticeviews.ReadersTab)))
	r.Get("/manage/notice/{id:[0-9]+}/readers/export", h.page(h.exportReaders))
	h.exportPages(r, "/manage/notice/{id:[0-9]+}/readers")
	r.Get("/manage/notice/{id:[0-9]+}/files", h.page(h.noticeTab(noticeviews.FilesTab)))
	r.Get("/manage/notice/{id:[0-9]+}/history", h.page(h.noticeTab(noticeviews.HistoryTab)))
	r.Get("/manage/notice/{id:[0-9]+}/reminders", h.page(h.askToRemind))
	r.Post("/manage/notice/{id:[0-9]+}/reminders", h.page(h.remind))
	r.Post("/manage/notice/{id:[0-9]+}/delete", h.page(h.deleteNotice))
	r.Post("/manage/notice/{id:[0-9]+}/restoration", h.page(h.restoreNotice))
	r.Get("/manage/link/common", h.page(h.links))
	r.Post("/manage/link/common", h.page(h.createLink))
	r.Get("/manage/link/common/banners/{hash}", h.page(h.linkBanner))
	r.Post("/manage/link/common/{id}", h.page(h.updateLink))
	r.Post("/manage/link/common/{id}/visibility", h.page(h.setLinkVisibility))
	r.Post("/manage/link/common/{id}/position", h.page(h.moveLink))
	r.Post("/manage/link/common/{id}/delete", h.page(h.deleteLink))
	r.Post("/manage/link/common/{id}/restoration", h.page(h.restoreLink))
	r.Get("/manage/link/convenience", h.page(h.services))
	r.Post("/manage/link/convenience/{id}/visibility", h.page(h.setServiceVisibility))
	r.Post("/manage/link/convenience/{id}/position", h.page(h.moveService))
	lists.Get("/manage/security/access", h.page(h.accessHistory))
	lists.Get("/manage/security/access/export", h.page(h.exportAccess))
	h.exportPages(r, "/manage/security/access")
	r.Post("/manage/security/access/people/{id:[0-9]+}/sessions/{session}/delete", h.page(h.endSession))
	r.Post("/manage/security/access/people/{id:[0-9]+}/sessions/delete", h.page(h.endSessions))
	r.Post("/manage/security/access/people/{id:[0-9]+}/unlocking", h.page(h.unlockAccount))
	proved.Post("/manage/security/access/people/{id:[0-9]+}/factors/delete", h.page(h.resetFactors))
	proved.Post("/manage/security/access/people/{id:[0-9]+}/identities/delete", h.page(h.unlink))
	r.Get("/manage/security/factors", h.page(h.factorRule))
	proved.Post("/manage/security/factors", h.page(h.saveFactorRule))
	proved.Post("/manage/security/access/people/{id:[0-9]+}/password-link", h.page(h.createPasswordLink))
	proved.Post("/manage/security/access/people/{id:[0-9]+}/password-link/delete", h.page(h.withdrawPasswordLink))
	r.Get("/manage/security/locks", h.page(h.locks))
	r.Post("/manage/security/locks/people/{id:[0-9]+}/delete", h.page(h.unlockPerson))
	r.Post("/manage/security/locks/addresses/delete", h.page(h.unlockAddress))
	r.Get("/manage/security/tokens", h.page(h.serviceTokens))
	proved.Post("/manage/security/tokens", h.page(h.createServiceToken))
	proved.Post("/manage/security/tokens/{id:[0-9]+}/rotation", h.page(h.rotateServiceToken))
	r.Post("/manage/security/tokens/{id:[0-9]+}/delete", h.page(h.endServiceToken))
	lists.Get("/manage/security/changes", h.page(h.changes))
	r.Post("/manage/security/changes/verification", h.page(h.verifyChanges))
	r.Post("/manage/security/changes/{id:[0-9]+}/reversal", h.page(h.revertChange))
	lists.Get("/manage/security/changes/export", h.page(h.exportChanges))
	h.exportPages(r, "/manage/security/changes")
	lists.Get("/manage/security/reads", h.page(h.reads))
	lists.Get("/manage/security/reads/export", h.page(h.exportReads))
	h.exportPages(r, "/manage/security/reads")
	r.Get("/manage/security/retention", h.page(h.retention))
	proved.Post("/manage/security/retention", h.page(h.saveRetention))
	r.Post("/manage/security/disclosure", h.page(h.saveDisclosure))
	r.Get("/manage/security/providers", h.page(h.providers))
	proved.Post("/manage/security/providers", h.page(h.createProvider))
	r.Get("/manage/security/providers/{id:[0-9]+}", h.page(h.provider))
	proved.Post("/manage/security/providers/{id:[0-9]+}", h.page(h.updateProvider))
	proved.Post("/manage/security/providers/{id:[0-9]+}/delete", h.page(h.deleteProvider))
	r.Post("/manage/security/providers/{id:[0-9]+}/test", h.page(h.testProvider))
	r.Get("/organization/hidden", h.page(h.hiddenUsers))
	r.Get("/manage/use/hidden", h.page(h.hiddenUsers))
	r.Post("/manage/use/hidden", h.page(h.hideUsers))
	r.Post("/manage/use/hidden/showing", h.page(h.showUsers))
	r.Post("/manage/use/hidden/sets/{set}/reversal", h.page(h.undoHiding))
	r.Get("/manage/use/install", h.page(h.installation))
	r.Post("/manage/use/install", h.page(h.saveInstallation))
	r.Post("/manage/use/install/preview", h.page(h.previewInstallation))
	r.Post("/manage/use/install/effect", h.page(h.effectOfInstallation))
	for _, platform := range usage.ClientPlatforms {
		path := usageviews.ClientsPath(platform)
		lists.Get(path, h.page(h.clients(platform)))
		lists.Get(path+"/export", h.page(h.exportClients(platform)))
		h.exportPages(r, path)
	}
	r.Get("/manage/use/holidays", h.page(h.holidays))
	r.Post("/manage/use/holidays", h.page(h.createHoliday))
	r.Post("/manage/use/holidays/{id}", h.page(h.updateHoliday))
	r.Post("/manage/use/holidays/{id}/delete", h.page(h.deleteHoliday))
	r.Get("/manage/use/map", h.page(h.mapServices))
	r.Post("/manage/use/map", h.page(h.saveMapServices))
	r.Get("/manage/use/webhook/outgoing", h.page(h.webhook))
	proved.Post("/manage/use/webhook/outgoing", h.page(h.saveWebhook))
	r.Post("/manage/use/webhook/outgoing/enabling", h.page(h.enableWebhook))
	r.Post("/manage/use/webhook/outgoing/delete", h.page(h.deleteWebhook))
	r.Post("/manage/use/webhook/outgoing/resumption", h.page(h.resumeWebhook))
	proved.Post("/manage/use/webhook/outgoing/secret/rotation", h.page(h.rotateWebhookSecret))
	r.Post("/manage/use/webhook/outgoing/secret/end", h.page(h.endPreviousSecret))
	r.Post("/manage/use/webhook/outgoing/test", h.page(h.testWebhook))
	r.Post("/manage/use/webhook/outgoing/deliveries/{id}/redelivery", h.page(h.resendDelivery))
	r.Get("/manage/use/webhook", h.page(h.serviceBot))
	r.Post("/manage/use/webhook", h.page(h.updateBot))
	r.Get("/manage/use/webhook/images/{hash}", h.page(h.botImage))
	r.Post("/manage/use/webhook/enabling", h.page(h.enableBot))
	r.Post("/manage/use/webhook/addresses", h.page(h.setBotAddresses))
	r.Post("/manage/use/webhook/receivers", h.page(h.setBotReceivers))
	proved.Post("/manage/use/webhook/tokens/{kind}/rotation", h.page(h.rotateBotToken))
	r.Post("/manage/use/webhook/tokens/{id}/delete", h.page(h.endBotToken))
	r.Post("/manage/use/webhook/test", h.page(h.testBot))
	r.Post("/manage/use/webhook/deliveries/{id}/resending", h.page(h.resendBotMessage))
	r.With(h.requireOperator).Get(views.BackupPath, h.page(h.backups))
	r.Route("/policies/{kind:communication|workingattitude}", h.policyPages)
	r.NotFound(h.page(pageNotFound)) // behind the routes, so that those of policies have it too
	r.MethodNotAllowed(h.page(pageNotFound))
}

// attendanceListAt returns the attendance list at a path, above which a record
// can be shown, or nil if the reader may not enter one there.
func attendanceListAt(path string, reader identity.SignedIn) func(*handlers, http.ResponseWriter, *http.Request) error {
	switch {
	case path == "/logs/workingattitude/day":
		return (*handlers).attendanceDay
	case path == "/logs/workingattitude/day/corrections":
		return (*handlers).waitingCorrections
	case path == "/logs/workingattitude/week":
		return (*handlers).attendanceWeek
	case path == "/logs/workingattitude/month":
		return (*handlers).attendanceMonth
	case path == "/logs/workingattitude/management" && reader.IsAdmin:
		return (*handlers).attendanceLog
	case path == "/logs/workingattitude/management/locks/events" && reader.IsAdmin:
		return (*handlers).lateEvents
	}
	return nil
}

// policyPages registers the pages for the policies of a kind. Ids are numbers,
// so they never collide with the names of pages (domain §9.13).
func (h *handlers) policyPages(r chi.Router) {
	r.Get("/", h.page(h.newPolicy))
	r.Post("/", h.page(h.savePolicy))
	r.Get("/management", h.page(h.policies))
	r.Get("/management/export", h.page(h.exportPoliciesAt))
	h.exportPages(r, "/management")
	r.Get("/taken", h.page(h.takenTargets))
	r.Post("/reach", h.page(h.policyReach))
	r.Post("/bulk", h.page(h.changePolicies))
	r.Post("/confirm", h.page(h.confirmVersions))
	r.Get("/enabling", h.page(h.askToEnable))
	r.Post("/revert", h.page(h.revertPolicies))
	r.Get("/delete", h.page(h.askToDeleteAll))
	r.Post("/restore", h.page(h.restorePolicies))

	r.Get("/status", h.page(h.status))
	r.Get("/status/export", h.page(h.exportStatus))
	h.exportPages(r, "/status")
	r.Get("/status/comparison", h.page(h.compareStatus))
	r.Get("/status/inherit", h.page(h.askToInherit))
	r.Post("/status/inherit", h.page(h.inheritPolicy))
	r.Get("/status/{user_id:[0-9]+}", h.page(h.statusReason))

	r.Get("/checks", h.page(h.policyChecks))
	r.Get("/checks/new", h.page(h.newPolicyCheck))
	r.Post("/checks/new", h.page(h.savePolicyCheck))
	r.Get("/checks/{id:[0-9]+}", h.page(h.policyCheck))
	r.Post("/checks/{id:[0-9]+}", h.page(h.savePolicyCheck))
	r.Post("/checks/{id:[0-9]+}/delete", h.page(h.deletePolicyCheck))
	r.Post("/checks/{id:[0-9]+}/restoration", h.page(h.restorePolicyCheck))

	r.Get("/{policy:[0-9]+}", h.page(h.policy))
	r.Post("/{policy:[0-9]+}", h.page(h.savePolicy))
	r.Post("/{policy:[0-9]+}/reach", h.page(h.policyReach))
	r.Post("/{policy:[0-9]+}/duplicate", h.page(h.duplicatePolicy))
	r.Post("/{policy:[0-9]+}/enabling", h.page(h.enablePolicy))
	r.Get("/{policy:[0-9]+}/delete", h.page(h.askToDelete))
	r.Post("/{policy:[0-9]+}/delete", h.page(h.deletePolicy))
	r.Post("/{policy:[0-9]+}/restore", h.page(h.restorePolicies))
	r.Post("/{policy:[0-9]+}/confirm", h.page(h.confirmVersion))
	r.Post("/{policy:[0-9]+}/plan", h.page(h.movePlan))
	r.Post("/{policy:[0-9]+}/plan/delete", h.page(h.cancelPlan))
	r.Post("/{policy:[0-9]+}/plan/restore", h.page(h.restorePlan))
	r.Get("/{policy:[0-9]+}/recomputations", h.page(h.recomputations))
	r.Get("/{policy:[0-9]+}/versions/{no}/restore", h.page(h.askToRestore))
	r.Post("/{policy:[0-9]+}/versions/{no}/restore", h.page(h.restoreVersion))
}

func pageNotFound(http.ResponseWriter, *http.Request) error { return errPageNotFound }
