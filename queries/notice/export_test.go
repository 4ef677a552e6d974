package notice

// CleanName is cleanName for tests.
var CleanName = cleanName
