// A transport for Google's Go client, tried with google.golang.org/api 0.311 (docs/google-clients.md).
package gateway

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
)

const google = "https://www.googleapis.com/"

// Gateway sends every request to the gateway, as one connection; it refuses every other address.
type Gateway struct{ BaseURL, SecretKey, Integration, ConnectionID string }

func (g Gateway) RoundTrip(asked *http.Request) (*http.Response, error) {
	proxy := g.BaseURL + "/proxy/"
	address := asked.URL.String()
	if path, found := strings.CutPrefix(address, google); found {
		address = proxy + path
	}
	if !strings.HasPrefix(address, proxy) {
		return nil, fmt.Errorf("not an address of the gateway: %s", address)
	}
	var body io.Reader
	if asked.Body != nil {
		defer asked.Body.Close()
		read, err := io.ReadAll(asked.Body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(read) // with its length: API Gateway takes no chunks
	}
	sent, err := http.NewRequestWithContext(asked.Context(), asked.Method, address, body)
	if err != nil {
		return nil, err
	}
	sent.Header = asked.Header.Clone()
	sent.Header.Set("Authorization", "Bearer "+g.SecretKey)
	sent.Header.Set("Provider-Config-Key", g.Integration)
	sent.Header.Set("Connection-Id", g.ConnectionID)
	return http.DefaultTransport.RoundTrip(sent)
}
