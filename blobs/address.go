package blobs

import (
	"cmp"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

var errAddress = errors.New("blobs: the address must be a folder, file:///FOLDER or s3://KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX]")

// Open opens the store at an address:
//
//   - a path, or file:///FOLDER, is a folder, which is created if it does not exist;
//   - s3://KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX] is a bucket of S3. Without
//     KEY:SECRET@ they are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the
//     environment. ?region=NAME spares asking S3 for the bucket's region, and
//     ?insecure=1 uses HTTP instead of HTTPS. A slash or another special character
//     in SECRET is percent-encoded.
//
// Open connects to nothing. Its errors never quote an address of S3, which may
// contain a secret anywhere if it is mistyped.
func Open(address string) (Store, error) {
	scheme, _, hasScheme := strings.Cut(address, ":")
	switch strings.ToLower(scheme) {
	case "":
		return nil, errAddress
	case "s3":
		if hasScheme {
			return openBucket(address)
		}
	case "file":
		if hasScheme {
			return openFileURL(address)
		}
	}
	if strings.Contains(address, "://") {
		return nil, errAddress
	}
	return openFolder(address)
}

func openFileURL(address string) (Store, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host != "" || u.User != nil || !filepath.IsAbs(u.Path) || u.RawQuery != "" || u.Fragment != "" {
		return nil, errAddress
	}
	return openFolder(u.Path)
}

// Names of buckets are as S3 allows them. Those of prefixes need no encoding.
var (
	bucketPattern = regexp.MustCompile(`\A[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\z`)
	prefixPattern = regexp.MustCompile(`\A([A-Za-z0-9_-][A-Za-z0-9._-]*/)*\z`)
)

func openBucket(address string) (Store, error) {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" || u.Host == "" || u.Fragment != "" {
		return nil, errAddress
	}
	if _, err := strconv.ParseUint(cmp.Or(u.Port(), "0"), 10, 16); err != nil {
		return nil, errAddress
	}
	name, prefix, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if prefix = strings.TrimSuffix(prefix, "/"); prefix != "" {
		prefix += "/"
	}
	if !bucketPattern.MatchString(name) || !prefixPattern.MatchString(prefix) {
		return nil, errAddress
	}
	region, insecure, err := bucketOptions(u.RawQuery)
	if err != nil {
		return nil, err
	}
	key, secret, err := bucketSecret(u.User)
	if err != nil {
		return nil, err
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds:      credentials.NewStaticV4(key, secret, ""),
		Secure:     !insecure,
		Region:     region,
		MaxRetries: 3, // somebody is waiting
	})
	if err != nil {
		return nil, errAddress
	}
	return &bucket{client, u.Host, name, prefix}, nil
}

// bucketOptions reads what follows the question mark.
func bucketOptions(query string) (region string, insecure bool, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", false, errAddress
	}
	for name, all := range values {
		switch {
		case name == "region" && len(all) == 1:
			region = all[0]
		case name == "insecure" && len(all) == 1 && (all[0] == "0" || all[0] == "1"):
			insecure = all[0] == "1"
		default:
			return "", false, errors.New("blobs: an address of S3 takes ?region=NAME and &insecure=1, once each")
		}
	}
	return region, insecure, nil
}

// bucketSecret returns the access key and its secret, of the address or else of
// the environment.
func bucketSecret(user *url.Userinfo) (key, secret string, err error) {
	if user != nil {
		key = user.Username()
		secret, _ = user.Password()
	} else {
		key, secret = os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY")
	}
	if cmp.Or(key, secret) == "" {
		return "", "", errors.New("blobs: an address of S3 needs KEY:SECRET@, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment")
	}
	if key == "" || secret == "" {
		return "", "", errors.New("blobs: the access key of S3 or its secret is missing")
	}
	return key, secret, nil
}
