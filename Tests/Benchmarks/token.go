// The least that a program in Go does to print a token: it reads a file and decodes JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var token struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(text, &token); err != nil {
		panic(err)
	}
	fmt.Println(token.AccessToken)
}
