package views

// FirstSteps are the commands that lead from an empty database to a sign-in.
const FirstSteps = `officeconsole company create --name NAME --host HOST
officeconsole user create --admin --name NAME --email EMAIL
officeconsole user set-password EMAIL`
