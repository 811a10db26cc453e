// Package login uses a login of oauth-stdio in Go. Copy this folder into your module:
//
//	client := &http.Client{Transport: login.New("me").Transport()}
//
// This client asks the program for each request, which takes a fraction of a millisecond. A login is also a source of tokens for
// golang.org/x/oauth2. That package's clients send the token wherever a request or a redirect goes.
package login

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
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
		AccessToken, TokenType, URL string
		ExpiresAt                   int64
		Headers                     map[string]string
	}
	Error *struct {
		Message string
		Data    struct{ Kind string }
	}
}

// Token returns a token that is valid for 300 seconds more, or for a quarter of its life if that is shorter.
func (s *Source) Token() (*oauth2.Token, error) {
	found, err := s.request("accessToken", map[string]string{})
	if err != nil {
		return nil, err
	}
	token := &oauth2.Token{AccessToken: found.Result.AccessToken, TokenType: found.Result.TokenType}
	if found.Result.ExpiresAt != 0 {
		token.Expiry = time.Unix(found.Result.ExpiresAt, 0)
	}
	return token, nil
}

// Transport signs each request for its URL. A redirect to a host that the account does not allow goes there without the token.
func (s *Source) Transport() http.RoundTripper { return transport{s} }

type transport struct{ source *Source }

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	found, err := t.source.request("authorizeRequest", map[string]string{"url": request.URL.String(), "method": request.Method})
	// Go names the answer that has led here.
	if found.Error != nil && found.Error.Data.Kind == "hostNotAllowed" && request.Response != nil {
		return http.DefaultTransport.RoundTrip(request)
	}
	if err != nil {
		// A transport closes the body in any case.
		if request.Body != nil {
			request.Body.Close()
		}
		return nil, err
	}
	signed := request.Clone(request.Context())
	for name, value := range found.Result.Headers {
		signed.Header.Set(name, value)
	}
	if signed.URL, err = url.Parse(found.Result.URL); err != nil {
		return nil, err
	}
	return http.DefaultTransport.RoundTrip(signed)
}

// request returns the program's answer, or its error for a person.
func (s *Source) request(method string, params map[string]string) (answer, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	params["account"] = s.account
	if params["method"] == "" {
		// As in net/http, this is GET.
		delete(params, "method")
	}
	found, err := s.ask(method, params)
	if err != nil {
		// It has died, perhaps long ago.
		found, err = s.ask(method, params)
	}
	if err != nil {
		return found, fmt.Errorf("oauth-stdio: %w", err)
	}
	if found.Error != nil && found.Error.Data.Kind == "signInRequired" {
		return found, fmt.Errorf("%s is not signed in: run oauth-stdio login %[2]s, or login PROVIDER --account %[2]s for a new account", s.account, "'"+strings.ReplaceAll(s.account, "'", `'\''`)+"'")
	}
	if found.Error != nil {
		return found, fmt.Errorf("oauth-stdio: %s: %s", s.account, found.Error.Message)
	}
	return found, nil
}

// ask sends a request. If the program dies, the next request starts it.
func (s *Source) ask(method string, params map[string]string) (found answer, err error) {
	if s.process == nil {
		if err = s.start(); err != nil {
			return found, err
		}
	}
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
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
