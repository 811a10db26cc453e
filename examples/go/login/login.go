// Package login is a source of tokens for golang.org/x/oauth2, from a login of oauth-stdio. Copy this folder into your module:
//
//	client := &http.Client{Transport: &oauth2.Transport{Source: login.New("me")}}
//
// This client asks the program for each request, which takes a fraction of a millisecond. oauth2.NewClient holds a token until ten seconds
// before its end.
package login

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// Source runs one process of the program, which starts with the first token, and again after it has died.
type Source struct {
	account string
	command []string
	mutex   sync.Mutex
	process *exec.Cmd
	input   io.WriteCloser
	output  *bufio.Reader
}

// New returns the login of an account. The options are those of the program, such as "--config", "config.json".
func New(account string, options ...string) *Source {
	return &Source{account: account, command: append([]string{"--events", "none"}, options...)}
}

type answer struct {
	Result struct {
		AccessToken, TokenType string
		ExpiresAt              int64
	}
	Error *struct {
		Message string
		Data    struct{ Kind string }
	}
}

// Token returns a token that is valid for 300 seconds more, or for a quarter of its life if that is shorter.
func (s *Source) Token() (*oauth2.Token, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	found, err := s.ask()
	if err != nil {
		// It has died, perhaps long ago.
		found, err = s.ask()
	}
	if err != nil {
		return nil, fmt.Errorf("oauth-stdio: %w", err)
	}
	if found.Error != nil && found.Error.Data.Kind == "signInRequired" {
		return nil, fmt.Errorf("%s is not signed in: run oauth-stdio login %[1]s", s.account)
	}
	if found.Error != nil {
		return nil, fmt.Errorf("oauth-stdio: %s: %s", s.account, found.Error.Message)
	}
	token := &oauth2.Token{AccessToken: found.Result.AccessToken, TokenType: found.Result.TokenType}
	if found.Result.ExpiresAt != 0 {
		token.Expiry = time.Unix(found.Result.ExpiresAt, 0)
	}
	return token, nil
}

// ask sends a request. If the program dies, the next request starts it.
func (s *Source) ask() (found answer, err error) {
	if s.process == nil {
		if err = s.start(); err != nil {
			return found, err
		}
	}
	request, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "accessToken", "params": map[string]string{"account": s.account},
	})
	if err == nil {
		_, err = s.input.Write(append(request, '\n'))
	}
	var line []byte
	if err == nil {
		line, err = s.output.ReadBytes('\n')
	}
	if err == nil {
		err = json.Unmarshal(line, &found)
	}
	if err != nil {
		s.process.Process.Kill()
		s.process.Wait()
		s.process = nil
	}
	return found, err
}

// start starts the program, which ends when this process ends, because its input does.
func (s *Source) start() error {
	process := exec.Command("oauth-stdio", s.command...)
	process.Stderr = os.Stderr
	input, err := process.StdinPipe()
	if err != nil {
		return err
	}
	output, err := process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return err
	}
	s.process, s.input, s.output = process, input, bufio.NewReader(output)
	return nil
}
