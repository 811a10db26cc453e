// Calls a URL with golang/oauth2. Prints the nanoseconds that the calls took.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

func main() {
	count, _ := strconv.Atoi(os.Args[1])
	window, _ := strconv.Atoi(os.Args[2])
	pem, err := os.ReadFile(os.Args[4])
	if err != nil {
		panic(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, MaxIdleConnsPerHost: window}
	base := context.WithValue(context.Background(), oauth2.HTTPClient, &http.Client{Transport: transport})
	client := oauth2.NewClient(base, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: os.Args[5]}))
	call := func() {
		answer, err := client.Get(os.Args[3])
		if err != nil {
			panic(err)
		}
		defer answer.Body.Close()
		if _, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != 200 {
			panic(answer.Status)
		}
	}
	call()
	began := time.Now()
	var group sync.WaitGroup
	for worker := 0; worker < window; worker++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := 0; i < count/window; i++ {
				call()
			}
		}()
	}
	group.Wait()
	fmt.Println(time.Since(began).Nanoseconds())
}
