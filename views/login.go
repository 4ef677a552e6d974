package views

// FirstSteps are the commands that create the first company and
// administrator in an empty database.
const FirstSteps = `officeconsole company create --name NAME --host HOST
officeconsole user create --admin --name NAME --email EMAIL
officeconsole user set-password EMAIL`
