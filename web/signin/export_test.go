package signin

// Within lets the fuzz test reach what decides where people go.
var Within = within
