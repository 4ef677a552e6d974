package settings

import "slices"

// The platforms of the messenger.
const (
	PC        = "pc"
	Web       = "web"
	Mobile    = "mobile"
	MobileWeb = "mobile_web"
)

const platformLabels = "setting.platform"

var platforms = []string{PC, Web, Mobile, MobileWeb}

// Platforms returns the names of all platforms.
func Platforms() []string { return slices.Clone(platforms) }

// perPlatform returns an object type with a field of the same type for each
// platform.
func perPlatform(t Type, names ...string) Object {
	var o Object
	for _, name := range names {
		o.Fields = append(o.Fields, Field{Name: name, Label: platformLabels + "." + name, Type: t})
	}
	return o
}

// each returns an object with the same value for every name.
func each(value any, names ...string) map[string]any {
	all := map[string]any{}
	for _, name := range names {
		all[name] = value
	}
	return all
}

// addresses is the type of a list of named address ranges (domain §4).
var addresses = List{Max: 200, Of: Object{Fields: []Field{
	{Name: "location_name", Label: "setting.part.location_name", Type: Text{Max: 50}, Missing: errName},
	{Name: "range", Label: "setting.part.range", Type: Address{}, Missing: errRangeMissing},
}}}

// wording is the type of a text in each language of the console.
var wording = Object{Fields: []Field{
	{Name: "ko", Label: "setting.language.ko", Type: Text{Max: 50, Default: true}},
	{Name: "en", Label: "setting.language.en", Type: Text{Max: 50, Default: true}},
	{Name: "ja", Label: "setting.language.ja", Type: Text{Max: 50, Default: true}},
}}

// communication lists the settings of domain §4 with their defaults.
var communication = []Setting{
	{
		Key: "retraction_mode", Group: "message", Weight: 5, Default: "always",
		Type: Enum{Values: []string{"always", "until_all_read", "until_any_read"}, Explained: true},
	}, {
		Key: "retraction_limit_min", Group: "message", Weight: 3, Help: true, Default: nil,
		Type: Nullable{Int{Min: 1, Max: 10080, Unit: Minutes}},
	}, {
		Key: "retraction_wording", Group: "message", Weight: 1, Help: true, Type: wording,
		Default: map[string]any{"ko": "회수된 메시지입니다.", "en": "This message was retracted.", "ja": "メッセージが取り消されました。"},
	}, {
		Key: "read_receipt", Group: "message", Weight: 2, Default: "sender",
		Type: Enum{Values: []string{"off", "sender", "everyone"}, Explained: true},
	},

	{
		Key: "login_platforms", Group: "access", Weight: 9, Help: true, Default: []any{PC, Web, Mobile, MobileWeb},
		Type: Set{Values: platforms, Labels: platformLabels, Least: 1},
	}, {
		Key: "allowed_ip_mode", Group: "access", Weight: 10, Default: "any",
		Type: Enum{Values: []string{"any", "listed"}},
	}, {
		Key: "allowed_ip_ranges", Group: "access", Weight: 6, Help: true, Default: []any{}, Type: addresses,
		When: []Condition{{"allowed_ip_mode", []string{"listed"}}, {"file_save_ip_mode", []string{"listed"}}},
	}, {
		Key: "allowed_ip_platforms", Group: "access", Weight: 2, Help: true, Default: []any{PC, Web},
		Type: Set{Values: platforms, Labels: platformLabels, Least: 1},
		When: []Condition{{"allowed_ip_mode", []string{"listed"}}},
	}, {
		Key: "ip_exempt_user_ids", Group: "access", Weight: 2, Help: true, Default: []any{},
		Type: List{Of: User{}, Max: 100, Unique: true},
		When: []Condition{{"allowed_ip_mode", []string{"listed"}}},
	},

	{
		Key: "session_time_sec", Group: "session", Weight: 8, Help: true, Default: int64(3600),
		Type: Int{Min: 300, Max: 28800, Unit: Seconds, FormUnit: Minutes},
	}, {
		Key: "mobile_session_days", Group: "session", Weight: 4, Help: true, Default: int64(30),
		Type: Int{Min: 1, Max: 365, Unit: Days},
	}, {
		Key: "auto_login", Group: "session", Weight: 2, Default: each(true, PC, Mobile),
		Type: perPlatform(Bool{}, PC, Mobile),
	}, {
		Key: "concurrent_sessions", Group: "session", Weight: 3, Help: true, Default: each(int64(1), PC, Web, Mobile),
		Type: perPlatform(Int{Min: 1, Max: 5, Unit: Devices}, PC, Web, Mobile),
	},

	{
		Key: "file_send", Group: "file", Weight: 6, Default: each(true, platforms...),
		Type: perPlatform(Bool{}, platforms...),
	}, {
		Key: "file_save", Group: "file", Weight: 8, Help: true, Default: each("allow", platforms...),
		Type: perPlatform(Enum{Values: []string{"allow", "view_only", "block"}}, platforms...),
	}, {
		Key: "file_save_ip_mode", Group: "file", Weight: 7, Help: true, Default: "any",
		Type: Enum{Values: []string{"any", "listed"}},
	}, {
		Key: "file_save_log", Group: "file", Weight: 2, Help: true, Default: true, Type: Bool{},
	}, {
		Key: "file_max_mb", Group: "file", Weight: 4, Default: int64(100),
		Type: Int{Min: 1, Max: 4096, Unit: Megabytes},
	}, {
		Key: "file_ext_mode", Group: "file", Weight: 5, Default: "all",
		Type: Enum{Values: []string{"all", "only", "except"}},
	}, {
		Key: "file_exts", Group: "file", Weight: 3, Help: true, Default: []any{},
		Type: List{Of: Extension{}, Max: 100, Unique: true},
		When: []Condition{{"file_ext_mode", []string{"only", "except"}}},
	},

	{
		Key: "mobile_copy", Group: "mobile", Weight: 4, Default: true, Type: Bool{},
	}, {
		Key: "mobile_capture", Group: "mobile", Weight: 5, Help: true, Default: true, Type: Bool{},
	}, {
		Key: "watermark", Group: "mobile", Weight: 5, Help: true, Default: each(false, PC, Mobile),
		Type: perPlatform(Bool{}, PC, Mobile),
	}, {
		Key: "screen_lock", Group: "mobile", Weight: 4, Help: true, Default: "optional",
		Type: Enum{Values: []string{"optional", "required"}},
	},

	{
		Key: "chat_scope", Group: "chat", Weight: 6, Default: "company",
		Type: Enum{Values: []string{"company", "own_department_tree"}},
	}, {
		Key: "off_hours", Group: "chat", Weight: 3, Help: true, Default: "off",
		Type: Enum{Values: []string{"off", "notice", "hold"}, Explained: true},
	},
}
