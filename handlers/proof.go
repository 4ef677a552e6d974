package handlers

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"officeconsole/queries"
	"officeconsole/queries/identity"
	"officeconsole/views"
)

var errProof = errors.New("asks to prove again who one is")

// requireProof asks people to prove again who they are if their last proof is older than
// identity.ProofAge. The page that asks has every field of the form that they have
// sent, and sends them all again with the proof, so that nothing typed is lost.
func (h *handlers) requireProof(next http.Handler) http.Handler {
	return h.page(func(w http.ResponseWriter, r *http.Request) error {
		proved, err := h.proveFirst(w, r)
		if err == nil && proved != nil {
			next.ServeHTTP(w, proved)
		}
		return err
	})
}

// proveFirst returns the request of somebody who has proved who they are, without the
// proof. It returns nil where it has answered with the page that asks for one.
func (h *handlers) proveFirst(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	p := person(r)
	if r.Method != http.MethodPost {
		if p.HasProved(h.db.Now()) {
			return r, nil
		}
		return nil, h.askForProof(w, r, views.ProofForm{Action: views.ProofPath, Next: r.URL.RequestURI()})
	}
	if err := readForm(r); err != nil {
		return nil, err
	}
	form := views.ProofForm{Action: r.URL.RequestURI(), Fields: withoutProof(r.PostForm)}
	switch {
	case givenProof(r.PostForm):
		proved, refused, err := h.prove(r)
		if err != nil {
			return nil, err
		}
		if refused != "" {
			form.Error, form.Code = refused, r.PostForm.Get("proof_code")
			return nil, h.askForProof(w, r, form)
		}
		r = proved
	case !p.HasProved(h.db.Now()):
		return nil, h.askForProof(w, r, form)
	}
	r.PostForm = form.Fields
	return r, nil
}

// proofFields are the fields that a proof adds to a form.
var proofFields = []string{"proof_password", "proof_code", "proof_passkey"}

func givenProof(form url.Values) bool {
	for _, field := range proofFields {
		if form.Has(field) {
			return true
		}
	}
	return false
}

func withoutProof(form url.Values) url.Values {
	rest := url.Values{}
	for name, values := range form {
		if !strings.HasPrefix(name, "proof_") {
			rest[name] = values
		}
	}
	return rest
}

// prove takes the proof of a form. It returns the request of somebody who has proved
// who they are, or why the proof is refused.
func (h *handlers) prove(r *http.Request) (proved *http.Request, refused string, err error) {
	p := person(r)
	device, _ := h.device(r)
	err = h.db.Identity.Prove(r.Context(), p, identity.Proof{
		FactorProof: identity.FactorProof{Code: r.PostForm.Get("proof_code"), Passkey: r.PostForm.Get("proof_passkey"), Site: h.site(r)},
		Password:    r.PostForm.Get("proof_password"), Device: device, From: client(r),
	})
	var invalid queries.Invalid
	if errors.As(err, &invalid) {
		return nil, string(invalid), nil
	}
	if err != nil {
		return nil, "", err
	}
	p.ProvedAt = h.db.Now()
	return r.WithContext(identity.WithSignedIn(r.Context(), p)), "", nil
}

// askForProof shows the page that asks for a proof. A script that sends no form gets a
// refusal.
func (h *handlers) askForProof(w http.ResponseWriter, r *http.Request, form views.ProofForm) error {
	if r.Header.Get("Accept") == "application/json" {
		return errProof
	}
	ctx, p, site := r.Context(), person(r), h.site(r)
	ways, err := h.db.Identity.ProofWays(ctx, p.Person)
	if err != nil {
		return err
	}
	form.Ways, form.Email, form.Back = ways, p.Email, cmp.Or(form.Next, cameFrom(r))
	if ways.Passkeys > 0 && site.SupportsPasskeys() {
		if form.Options, err = h.db.Identity.AskProof(ctx, p, site); err != nil {
			return err
		}
	}
	frame := h.frameWithoutToast(r)
	frame.Path = "/"
	return h.renderStatus(w, r, http.StatusUnprocessableEntity, views.Proof(frame, form))
}

// proof asks for a proof before another page.
func (h *handlers) proof(w http.ResponseWriter, r *http.Request) error {
	return h.askForProof(w, r, views.ProofForm{Action: views.ProofPath, Next: cmp.Or(localPath(r.URL.Query().Get("next")), "/")})
}

// takeProof takes a proof and goes on to the next page. Of a file that is downloaded
// there is no page, so it goes on from one that leads back.
func (h *handlers) takeProof(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	next := cmp.Or(localPath(r.PostForm.Get("next")), "/")
	_, refused, err := h.prove(r)
	if err != nil {
		return err
	}
	if refused != "" {
		return h.askForProof(w, r, views.ProofForm{Action: views.ProofPath, Next: next, Error: refused, Code: r.PostForm.Get("proof_code")})
	}
	target, err := url.Parse(next)
	if err != nil || !strings.HasSuffix(target.Path, "/export") {
		return redirect(w, r, next)
	}
	list := *target
	list.Path = strings.TrimSuffix(target.Path, "/export")
	query := list.Query()
	query.Del("format")
	list.RawQuery = query.Encode()
	w.Header().Set("Refresh", "0; url="+string(views.Link(r.Context(), next)))
	frame := h.frameWithoutToast(r)
	frame.Path = list.RequestURI()
	return h.render(w, r, views.ProofDownload(frame, next, list.RequestURI()))
}

// requireFactor leads people who must have a second factor to the page where they get
// one, or show the one they have, once their time for it has passed.
func (h *handlers) requireFactor(next http.Handler) http.Handler {
	return h.page(func(w http.ResponseWriter, r *http.Request) error {
		p := person(r)
		if !p.IsConfined(h.db.Now()) || isOpenToConfined(r.URL.Path) {
			next.ServeHTTP(w, r)
			return nil
		}
		if r.Header.Get("Accept") == "application/json" {
			return queries.Invalid("factor.due")
		}
		factors, err := h.db.Identity.Factors(r.Context(), p.CompanyID, p.ID)
		if err != nil {
			return err
		}
		if !factors.Exist() {
			return redirect(w, r, views.FactorsPath)
		}
		path := views.ProofPath
		if r.Method == http.MethodGet {
			path += "?next=" + url.QueryEscape(r.URL.RequestURI())
		}
		return redirect(w, r, path)
	})
}

// isOpenToConfined reports whether a page is open to people who must get a second
// factor first.
func isOpenToConfined(path string) bool {
	return path == "/logout" || path == "/session" || path == "/session/activity" || path == views.ProofPath ||
		path == views.FactorsPath || strings.HasPrefix(path, views.FactorsPath+"/") || strings.HasPrefix(path, "/images/")
}
