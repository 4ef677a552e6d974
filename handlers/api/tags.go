package api

import "github.com/danielgtaylor/huma/v2"

// tags are the groups of operations, in the order in which tools show them.
var tags = []*huma.Tag{
	{Name: "Session", Description: "Signing in and out, and who is signed in."},
	{Name: "Organization", Description: "Departments, people, ranks and roles of the company."},
	{Name: "Policies", Description: "Communication and attendance policies, their versions, targets and planned changes. For administrators."},
	{Name: "Viewing authority", Description: "Who may see, or also edit, the attendance of which departments. For administrators."},
	{Name: "Hidden users", Description: "People who are hidden from the organization and cannot sign in, with the reasons. For administrators."},
	{Name: "Deactivated users", Description: "People who have left and cannot sign in, with what deactivated them: an administrator, an import or provisioning. For administrators."},
	{Name: "Attendance", Description: "Attendance records, corrections, locked months and clocking in."},
	{Name: "Exports", Description: "Lists as files, made in the background."},
	{Name: "Security", Description: "Who signed in, failed to or was refused, and the sessions and tokens of people. For administrators."},
	{Name: "Usage", Description: "What people do with the messenger: the log of saved files. For administrators."},
	{Name: "Links", Description: "Common links and the messenger's built-in services. For administrators."},
	{Name: "Service bot", Description: "The bot that programs send messages through: its profile, tokens and log, for administrators; and sending, by the bot's tokens."},
	{Name: "Notices", Description: "What administrators tell the people of the company, the files with it, and who has read it. Files are also for those who may read the notice, the rest is for administrators."},
	{Name: "Webhook", Description: "Where the messages of the event stream are sent, and what came of each. For administrators."},
	{Name: "Change log", Description: "Who changed what and when, and taking changes back. For administrators."},
	{Name: "Options", Description: "What a browser needs to show maps. For administrators."},
	{Name: "Messenger", Description: "What the messenger reads and reports, by a service token."},
}
