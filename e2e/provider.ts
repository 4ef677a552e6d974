// A provider of OpenID Connect, at which everybody is signed in already.
import { createHash, createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { now } from "./clock.ts";

const CLIENT = "console";
export const SECRET = "client-secret!";

export class Provider {
  url = "";
  email = ""; // of whoever signs in
  signedOut = 0; // how often somebody signed out here
  readonly #keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  readonly #requests = new Map<string, URLSearchParams>(); // by the codes that were given
  readonly #server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", this.url);
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      if (url.pathname === "/authorize") {
        const code = randomUUID();
        this.#requests.set(code, url.searchParams);
        const back = new URLSearchParams({ code, state: url.searchParams.get("state")! });
        response.writeHead(302, { Location: `${url.searchParams.get("redirect_uri")}?${back}` }).end();
      } else if (url.pathname === "/logout") {
        this.signedOut++;
        response.writeHead(302, { Location: url.searchParams.get("post_logout_redirect_uri")! }).end();
      } else {
        response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(this.#answer(url.pathname, new URLSearchParams(body))));
      }
    });
  });

  async start(): Promise<this> {
    await new Promise<void>((ready) => this.#server.listen(0, "127.0.0.1", ready));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  stop(): void {
    this.#server.close();
  }

  // create are the arguments of the command that adds the provider.
  create(secretFile: string): string[] {
    return [
      "provider", "create", "--company", "hanbit.example", "--issuer", this.url, "--client-id", CLIENT, "--client-secret-file", secretFile,
      "--domain", "hanbit.example", "--webhook-allow", "127.0.0.1/32", "--name", "한빛 계정",
    ];
  }

  #answer(path: string, body: URLSearchParams): unknown {
    if (path === "/keys") return { keys: [{ ...this.#keys.publicKey.export({ format: "jwk" }), alg: "RS256", kid: "1", use: "sig" }] };
    if (path === "/token") return this.#token(body);
    return {
      issuer: this.url, authorization_endpoint: `${this.url}/authorize`, token_endpoint: `${this.url}/token`, jwks_uri: `${this.url}/keys`,
      end_session_endpoint: `${this.url}/logout`, code_challenge_methods_supported: ["S256"], id_token_signing_alg_values_supported: ["RS256"],
    };
  }

  #token(body: URLSearchParams): unknown {
    const request = this.#requests.get(body.get("code") ?? "");
    this.#requests.delete(body.get("code") ?? "");
    const challenge = createHash("sha256").update(body.get("code_verifier") ?? "").digest("base64url");
    if (request?.get("code_challenge") !== challenge) return { error: "invalid_grant" };
    const at = Math.floor(now() / 1000);
    const claims = {
      iss: this.url, aud: CLIENT, sub: `s-${this.email}`, nonce: request.get("nonce"), iat: at, exp: at + 300, email: this.email, email_verified: true,
    };
    const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
    const text = `${encode({ alg: "RS256", kid: "1" })}.${encode(claims)}`;
    const signature = createSign("sha256").update(text).sign(this.#keys.privateKey, "base64url");
    return { access_token: randomUUID(), token_type: "Bearer", id_token: `${text}.${signature}` };
  }
}
