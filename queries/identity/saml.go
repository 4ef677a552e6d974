package identity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"officeconsole/queries"
	"officeconsole/saml"
)

// SAMLPath is the path, below the console's URL, to which browsers bring the responses
// of providers of SAML. The console's metadata is at SAMLPath + "/metadata", which is
// also its entity id.
const SAMLPath = "/sso/saml"

// SAMLService is the console with the given URL as a service of SAML.
func SAMLService(baseURL string) saml.Service { return samlService(baseURL + SAMLPath) }

func samlService(consumerURL string) saml.Service {
	return saml.Service{EntityID: consumerURL + "/metadata", ConsumerURL: consumerURL}
}

// maxMetadata is how long the metadata that somebody enters may be, in bytes.
const maxMetadata = 200_000

// checkMetadata checks what only a provider of SAML has, and sets the issuer.
func (s *Store) checkMetadata(ctx context.Context, d *ProviderDraft, old *Provider, refused queries.FieldErrors) {
	switch {
	case d.MetadataURL == "" && d.Metadata == "":
		refused["metadata_url"] = "provider.metadata.required"
	case d.MetadataURL != "" && d.Metadata != "":
		refused["metadata"] = "provider.metadata.both"
	case len(d.Metadata) > maxMetadata:
		refused["metadata"] = "provider.metadata.long"
	case d.Metadata != "":
		found, err := s.parseMetadata([]byte(d.Metadata))
		if err != nil {
			refused["metadata"] = "provider.metadata.invalid"
			_ = providerError(ctx, Provider{Issuer: d.Name}, err) // the log has the reason
			return
		}
		d.Issuer, d.Metadata = found.EntityID, found.Metadata()
	case refused["metadata_url"] != "":
	case old != nil && d.MetadataURL == old.MetadataURL:
		d.Issuer = old.Issuer
	default:
		if refusal := s.checkAddress("metadata_url", d.MetadataURL); refusal != "" {
			refused["metadata_url"] = refusal
			return
		}
		found, err := s.readMetadata(ctx, d.MetadataURL)
		if err != nil {
			refused["metadata_url"] = "provider.metadata_url.unreadable"
			_ = providerError(ctx, Provider{Issuer: d.MetadataURL}, err)
			return
		}
		d.Issuer = found.EntityID
	}
}

// parseMetadata reads metadata, whose addresses are those to which browsers are sent.
func (s *Store) parseMetadata(content []byte) (saml.Provider, error) {
	found, err := saml.ParseMetadata(content, s.db.Now())
	if err != nil {
		return saml.Provider{}, err
	}
	if u, err := url.Parse(found.SignInURL); err != nil || !s.isWebAddress(u) {
		return saml.Provider{}, fmt.Errorf("address %q of the provider", found.SignInURL)
	}
	if len(found.EntityID) > maxProviderText {
		return saml.Provider{}, errors.New("the entity id is too long")
	}
	return found, nil
}

// readMetadata reads the metadata at an address.
func (s *Store) readMetadata(ctx context.Context, address string) (saml.Provider, error) {
	ctx, cancel := s.toProvider(ctx)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return saml.Provider{}, err
	}
	response, err := s.outside.Do(request)
	if err != nil {
		return saml.Provider{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return saml.Provider{}, err
	}
	if response.StatusCode != http.StatusOK {
		return saml.Provider{}, errors.New(response.Status)
	}
	return s.parseMetadata(content)
}

// samlProvider returns what a provider says about itself, which is cached where it has
// to be asked. It refuses with errProvider.
func (s *Store) samlProvider(ctx context.Context, p Provider) (saml.Provider, error) {
	found, err := s.metadata.Get(ctx, p.MetadataURL+p.Metadata, func(ctx context.Context) (saml.Provider, error) { return s.currentMetadata(ctx, p) })
	if err == nil && found.EntityID != p.Issuer {
		err = fmt.Errorf("the entity id is %q", found.EntityID)
	}
	if err != nil {
		return saml.Provider{}, providerError(ctx, p, err)
	}
	return found, nil
}

// rereadMetadata asks a provider again, which may sign with a key that it has published
// since it was asked.
func (s *Store) rereadMetadata(ctx context.Context, p Provider) (saml.Provider, error) {
	s.metadata.Delete(p.MetadataURL + p.Metadata)
	return s.samlProvider(ctx, p)
}

func (s *Store) currentMetadata(ctx context.Context, p Provider) (saml.Provider, error) {
	if p.MetadataURL == "" {
		return s.parseMetadata([]byte(p.Metadata))
	}
	return s.readMetadata(ctx, p.MetadataURL)
}
