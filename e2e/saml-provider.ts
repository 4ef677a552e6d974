// A provider of SAML 2.0, at which everybody is signed in already. It is reached as
// localhost, so that for browsers it is another site than the console at 127.0.0.1.
import { createHash, createSign, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inflateRawSync } from "node:zlib";
import { now } from "./clock.ts";

const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
const SIGNATURE = "http://www.w3.org/2000/09/xmldsig#";
const CANONICAL = "http://www.w3.org/2001/10/xml-exc-c14n#";

export class SAMLProvider {
  url = "";
  email = ""; // of whoever signs in
  readonly #keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  readonly #server: Server = createServer((request, response) => {
    const query = new URL(request.url ?? "/", this.url).searchParams;
    const sent = inflateRawSync(Buffer.from(query.get("SAMLRequest") ?? "", "base64")).toString();
    const [consumer, id, service] = [/AssertionConsumerServiceURL="([^"]+)"/, / ID="([^"]+)"/, /Issuer>([^<]+)</].map((part) => part.exec(sent)![1]!);
    const answer = Buffer.from(this.#response(consumer!, id!, service!)).toString("base64");
    response.writeHead(200, { "Content-Type": "text/html" }).end(
      `<!doctype html><body onload="document.forms[0].submit()"><form method="post" action="${consumer}">
      <input type="hidden" name="SAMLResponse" value="${answer}"><input type="hidden" name="RelayState" value="${query.get("RelayState")}"></form>`,
    );
  });

  async start(): Promise<this> {
    await new Promise<void>((ready) => this.#server.listen(0, "127.0.0.1", ready));
    this.url = `http://localhost:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  stop(): void {
    this.#server.close();
  }

  // metadata is what the provider publishes.
  metadata(): string {
    return `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${this.url}"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
      <KeyDescriptor><KeyInfo xmlns="${SIGNATURE}"><X509Data><X509Certificate>${this.#certificate()}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
      <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${this.url}/sign-in"/></IDPSSODescriptor></EntityDescriptor>`;
  }

  // #certificate returns a certificate of the key in base64, valid from 2000 to 2100. Node
  // can read certificates, but not make them.
  #certificate(): string {
    const algorithm = der(0x30, Buffer.from("06092a864886f70d01010b0500", "hex")); // RSA with SHA-256
    const name = der(0x30, der(0x31, der(0x30, Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from("e2e")))));
    const validity = der(0x30, ...["20000101000000Z", "21000101000000Z"].map((time) => der(0x18, Buffer.from(time))));
    const key = this.#keys.publicKey.export({ type: "spki", format: "der" });
    const content = der(0x30, Buffer.from("a003020102020101", "hex"), algorithm, name, validity, name, key); // version 3, number 1
    const signature = der(0x03, Buffer.from([0]), sign("sha256", content, this.#keys.privateKey));
    return der(0x30, content, algorithm, signature).toString("base64");
  }

  // #response returns a response whose assertion is signed. It is written as it is
  // canonicalized: namespaces before attributes, those by name, and no empty elements.
  #response(consumer: string, requestID: string, service: string): string {
    const [at, until, id] = [new Date(now()).toISOString(), new Date(now() + 300_000).toISOString(), `_${randomUUID()}`];
    const issuer = `<saml:Issuer>${this.url}</saml:Issuer>`;
    const open = `<saml:Assertion xmlns:saml="${ASSERTION}" ID="${id}" IssueInstant="${at}" Version="2.0">${issuer}`;
    const rest =
      `<saml:Subject><saml:NameID>s-${this.email}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">` +
      `<saml:SubjectConfirmationData InResponseTo="${requestID}" NotOnOrAfter="${until}" Recipient="${consumer}"></saml:SubjectConfirmationData></saml:SubjectConfirmation></saml:Subject>` +
      `<saml:Conditions NotBefore="${at}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${service}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
      `<saml:AuthnStatement AuthnInstant="${at}"></saml:AuthnStatement><saml:AttributeStatement><saml:Attribute Name="email">` +
      `<saml:AttributeValue>${this.email}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>`;
    const digest = createHash("sha256").update(open + rest).digest("base64");
    const info =
      `<ds:SignedInfo xmlns:ds="${SIGNATURE}"><ds:CanonicalizationMethod Algorithm="${CANONICAL}"></ds:CanonicalizationMethod>` +
      `<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"></ds:SignatureMethod><ds:Reference URI="#${id}"><ds:Transforms>` +
      `<ds:Transform Algorithm="${SIGNATURE}enveloped-signature"></ds:Transform><ds:Transform Algorithm="${CANONICAL}"></ds:Transform></ds:Transforms>` +
      `<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>`;
    const value = createSign("sha256").update(info).sign(this.#keys.privateKey, "base64");
    const signature = `<ds:Signature xmlns:ds="${SIGNATURE}">${info}<ds:SignatureValue>${value}</ds:SignatureValue></ds:Signature>`;
    return (
      `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" IssueInstant="${at}" Destination="${consumer}" InResponseTo="${requestID}">` +
      `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${open}${signature}${rest}</samlp:Response>`
    );
  }
}

// der returns a value in the encoding of certificates.
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
