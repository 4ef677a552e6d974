package queriestest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/identity"
	"officeconsole/sender"
)

// A SignOnProvider is a provider of single sign-on at which everybody is signed in
// already. Its fields may be changed between requests.
type SignOnProvider struct {
	URL    string
	Claims map[string]any                      // about whoever signs in
	Change func(header, claims map[string]any) // changes an ID token before it is signed; nil for none
	Answer http.HandlerFunc                    // answers instead of the provider, unless nil
	Keys   []*rsa.PrivateKey                   // the published ones, the last of which signs
	now    func() time.Time
	routes *http.ServeMux
	codes  map[string]url.Values // the requests for which a code was given, by the code
}

// The client that a SignOnProvider knows.
const (
	SignOnClient = "console"
	SignOnSecret = "client-secret!"
)

// NewSignOnProvider starts a provider, and lets the console reach it.
func NewSignOnProvider(t *testing.T, db *areas.Areas) *SignOnProvider {
	t.Helper()
	p := &SignOnProvider{Keys: []*rsa.PrivateKey{signingKey()}, now: db.Now, codes: map[string]url.Values{}, Claims: map[string]any{}}
	p.routes = http.NewServeMux()
	p.routes.HandleFunc("GET /.well-known/openid-configuration", p.discovery)
	p.routes.HandleFunc("GET /keys", p.keys)
	p.routes.HandleFunc("GET /authorize", p.authorize)
	p.routes.HandleFunc("POST /token", p.token)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.Answer != nil {
			p.Answer(w, r)
			return
		}
		p.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p.URL = server.URL
	db.Identity.Allow(sender.Network{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	return p
}

// ServeHTTP answers as the provider does without Answer.
func (p *SignOnProvider) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.routes.ServeHTTP(w, r) }

// Draft is the provider as an administrator enters it.
func (p *SignOnProvider) Draft() identity.ProviderDraft {
	return identity.ProviderDraft{
		Name: "한빛 계정", Issuer: p.URL, ClientID: SignOnClient, ClientSecret: SignOnSecret, Domains: []string{"hanbit.example"}, Enabled: true,
	}
}

// Create gives the first company the provider.
func (p *SignOnProvider) Create(t *testing.T, db *areas.Areas, d identity.ProviderDraft) (id int64) {
	t.Helper()
	id, err := db.Identity.CreateProvider(t.Context(), queries.Actor{CompanyID: Hanbit, Name: "test"}, d)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Enters makes the provider say who signs in: a verified email and a subject.
func (p *SignOnProvider) Enters(subject, email, name string) {
	p.Claims = map[string]any{"sub": subject, "email": email, "email_verified": true, "name": name}
}

// NewKey makes the provider sign with another key.
func (p *SignOnProvider) NewKey(t *testing.T) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p.Keys = []*rsa.PrivateKey{key}
}

// Visit does what a browser does that is sent to the provider, and returns the query
// with which it is sent back.
func (p *SignOnProvider) Visit(t *testing.T, address string) url.Values {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	back, err := answer.Location()
	if err != nil {
		t.Fatalf("%s: %s", address, answer.Status)
	}
	return back.Query()
}

func (p *SignOnProvider) discovery(w http.ResponseWriter, _ *http.Request) {
	answerJSON(w, map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
		"end_session_endpoint": p.URL + "/logout", "code_challenge_methods_supported": []string{"S256"}, "id_token_signing_alg_values_supported": []string{"RS256"},
	})
}

func (p *SignOnProvider) keys(w http.ResponseWriter, _ *http.Request) {
	var keys []map[string]string
	for _, key := range p.Keys {
		keys = append(keys, map[string]string{
			"kty": "RSA", "alg": "RS256", "use": "sig", "kid": keyID(key),
			"n": encode(key.N.Bytes()), "e": encode(big.NewInt(int64(key.E)).Bytes()),
		})
	}
	answerJSON(w, map[string]any{"keys": keys})
}

func (p *SignOnProvider) authorize(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if query.Get("code_challenge_method") != "S256" || query.Get("client_id") != SignOnClient || query.Get("response_type") != "code" {
		http.Error(w, "invalid_request", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	p.codes[code] = query
	back := url.Values{"code": {code}, "state": {query.Get("state")}}
	http.Redirect(w, r, query.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (p *SignOnProvider) token(w http.ResponseWriter, r *http.Request) {
	client, secret, _ := r.BasicAuth()
	secret, _ = url.QueryUnescape(secret)
	request, known := p.codes[r.FormValue("code")]
	delete(p.codes, r.FormValue("code"))
	challenge := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !known || client != SignOnClient || secret != SignOnSecret || encode(challenge[:]) != request.Get("code_challenge") || r.FormValue("redirect_uri") != request.Get("redirect_uri") {
		w.WriteHeader(http.StatusBadRequest)
		answerJSON(w, map[string]string{"error": "invalid_grant"})
		return
	}
	now := p.now()
	header, claims := map[string]any{"alg": "RS256", "kid": keyID(p.signer())}, maps.Clone(p.Claims)
	maps.Copy(claims, map[string]any{"iss": p.URL, "aud": SignOnClient, "nonce": request.Get("nonce"), "iat": now.Unix(), "exp": now.Add(5 * time.Minute).Unix()})
	if p.Change != nil {
		p.Change(header, claims)
	}
	answerJSON(w, map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "id_token": p.sign(header, claims)})
}

func (p *SignOnProvider) signer() *rsa.PrivateKey { return p.Keys[len(p.Keys)-1] }

// sign returns a token, which has no signature if its header has the algorithm none.
func (p *SignOnProvider) sign(header, claims map[string]any) string {
	h, _ := json.Marshal(header)
	c, _ := json.Marshal(claims)
	text := encode(h) + "." + encode(c)
	if header["alg"] == "none" {
		return text + "."
	}
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, p.signer(), crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return text + "." + encode(signature)
}

func keyID(key *rsa.PrivateKey) string {
	sum := sha256.Sum256(key.N.Bytes())
	return encode(slices.Clone(sum[:6]))
}

// signingKey is the key of every provider at first.
var signingKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func encode(content []byte) string { return base64.RawURLEncoding.EncodeToString(content) }

func answerJSON(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(body); err != nil {
		panic(err)
	}
}
