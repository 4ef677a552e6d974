package handlers

import (
	"errors"
	"io"
	"net/http"
	"net/url"

	"officeconsole/queries"
	"officeconsole/queries/identity"
)

// samlMetadata answers what a provider of SAML has to know about the console.
func (h *handlers) samlMetadata(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "application/samlmetadata+xml")
	_, err := io.WriteString(w, identity.SAMLService(h.baseURL(r)).Metadata())
	return err
}

// takeSAMLResponse takes the form that the page of a provider of SAML lets a browser
// post. It is the only form that another site may send. A browser does not send the
// cookies of the console with it (SameSite=Lax), neither that of the visit nor that of
// a session, so nobody is signed in here. The response is verified and stored with the
// visit that its RelayState names, and the browser goes on to /oauth with a code: with
// that GET it sends the cookie of the visit. Only a browser with the cookie and the code,
// which was sent to the provider and has brought the response, is signed in.
func (h *handlers) takeSAMLResponse(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	state := r.PostForm.Get("RelayState")
	code, err := h.db.Identity.TakeSAMLResponse(r.Context(), state, r.PostForm.Get("SAMLResponse"))
	var refused queries.Invalid
	if errors.As(err, &refused) {
		return h.refuseSignOn(w, r, err, "")
	}
	if err != nil {
		return err
	}
	return redirect(w, r, "/oauth?"+url.Values{"state": {state}, "code": {code}}.Encode())
}
