package reverts

// TitleKey is the form in which titles are compared.
var TitleKey = titleKey
