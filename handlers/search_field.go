package handlers

import (
	attendanceviews "officeconsole/views/attendance"
	botviews "officeconsole/views/bot"
	policyviews "officeconsole/views/policy"
	providerviews "officeconsole/views/provider"
	usageviews "officeconsole/views/usage"
)

// fieldEntries are the fields of administrators' forms that belong to no policy. Each
// is found by its label, and by what is also written beside it.
func fieldEntries() []searchEntry {
	field := func(title, page, path string, also ...string) searchEntry {
		return newSearchEntry(title, page, path, "edit", also...)
	}
	return []searchEntry{
		field("installation.allowed", "installation.title", usageviews.RulesPath+"#allowed"),
		field("installation.minimum", "installation.title", usageviews.RulesPath+"#minimum", "search.also.minimum"),
		field("installation.forced", "installation.title", usageviews.RulesPath+"#minimum"),
		field("installation.notice", "installation.title", usageviews.RulesPath+"#notice"),
		field("bot.image", "bot.title", botviews.Path+"#image"),
		field("bot.token.notification", "bot.title", botviews.Path+"#tokens-title"),
		field("bot.token.message", "bot.title", botviews.Path+"#tokens-title"),
		field("bot.token.hook", "bot.title", botviews.Path+"#tokens-title"),
		field("bot.addresses", "bot.title", botviews.Path+"#allowed_addresses"),
		field("factor.rule.required_of", "factor.rule.title", usageviews.FactorRulePath+"#required_of"),
		field("factor.rule.grace_days", "factor.rule.title", usageviews.FactorRulePath+"#grace_days"),
		field("factor.rule.trusts_sign_on", "factor.rule.title", usageviews.FactorRulePath),
		field("retention.months", "retention.title", usageviews.RetentionPath, "retention.log.access", "retention.log.files", "retention.log.clients"),
		field("disclosure.title", "retention.title", usageviews.RetentionPath+"#disclosure-title", "disclosure.personal_phones", "disclosure.device_ids", "disclosure.ip_addresses"),
		field("provider.issuer", "provider.title", providerviews.Path+"#issuer"),
		field("provider.client_id", "provider.title", providerviews.Path+"#client_id"),
		field("provider.client_secret", "provider.title", providerviews.Path+"#client_secret"),
		field("provider.domains", "provider.title", providerviews.Path+"#domains"),
		field("provider.first", "provider.title", providerviews.Path+"#create_people"),
		field("provider.claims", "provider.title", providerviews.Path+"#claims", "provider.department_claim", "provider.rank_claim", "provider.admin_claim"),
		field("holiday.create", "holiday.title", policyviews.HolidaysPath+"?create=1"),
		field("map.key", "map.service.title", attendanceviews.MapServicePath+"#0.key", "map.service.title"),
		field("map.tile_url", "map.service.title", attendanceviews.MapServicePath+"#0.tile_url"),
	}
}
