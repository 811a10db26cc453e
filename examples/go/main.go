// Prints who the API says you are:  go run examples/go/main.go ACCOUNT URL
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
)

// oauth runs a command of oauth-stdio and returns its output. The command talks to the user on standard error.
func oauth(words ...string) []byte {
	command := exec.Command("oauth-stdio", words...)
	command.Stdin, command.Stderr = os.Stdin, os.Stderr
	output, err := command.Output()
	if err != nil {
		log.Fatalf("oauth-stdio %s: %v", words[0], err)
	}
	return output
}

func main() {
	oauth("login", os.Args[1]) // does nothing if the user has signed in before
	var me struct{ Login, User string }
	if err := json.Unmarshal(oauth("call", os.Args[1], os.Args[2]), &me); err != nil {
		log.Fatal(err)
	}
	fmt.Println(me.Login + me.User)
}
