// The outgoing webhook: an address is added, a receiver verifies what arrives,
// fails, recovers and gets the message again.
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { beyondNarrowest, violations } from "../accessible.ts";
import { Console } from "../console.ts";
import { expect, test as base } from "../fixtures.ts";
import { ADMIN, ask, at, signIn } from "../people.ts";
import { languages, texts } from "../texts.ts";

const PATH = "/manage/use/webhook/outgoing";

// A console that may reach receivers of this machine at 127.0.0.1 only.
const test = base.extend<object, { own: Console }>({
  own: [
    async ({}, use) => {
      const own = new Console();
      await own.run(["demo", "--employees", "20", "--days", "1"]);
      await own.serve("--webhook-allow", "127.0.0.1/32");
      await use(own);
      await own.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: ({ own }, use) => use(own.url),
});

test.describe.configure({ mode: "default" });

type Received = { headers: IncomingHttpHeaders; body: string };

// Receiver is a server that answers with its status.
class Receiver {
  status = 200;
  readonly received: Received[] = [];
  readonly #server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      this.received.push({ headers: request.headers, body });
      response.writeHead(this.status).end(this.status === 200 ? "ok" : "restarting");
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((ready) => this.#server.listen(0, "127.0.0.1", ready));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/console`;
  }

  stop(): void {
    this.#server.close();
  }
}

for (const language of languages) {
  const say = texts[language];

  test(`${language}: messages are delivered, fail, and are sent again`, async ({ page }) => {
    const receiver = new Receiver();
    const address = await receiver.start();
    await signIn(page, ADMIN);
    await ask(page, "DELETE", "/webhook").catch(() => undefined); // of an attempt before

    await page.goto(at(language, PATH));
    await page.getByRole("link", { name: say.addAddress }).click();
    await page.getByLabel("URL").fill("https://127.0.0.2/");
    await page.getByRole("button", { name: say.saveWebhook, exact: true }).click();
    await expect(page.getByRole("alert").getByRole("link")).toHaveText([say.privateAddress]);
    await page.getByLabel("URL").fill(address);
    await page.getByRole("button", { name: say.saveWebhook, exact: true }).click();
    await expect(page.getByText(say.addressAdded)).toBeVisible();
    const secret = (await page.locator("#new-secret").textContent())!;
    if (language === "ko") expect.soft(await violations(page)).toEqual([]);

    await page.getByRole("button", { name: say.sendTest }).click();
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(isSigned(receiver.received[0]!, secret)).toBe(true);
    await untilShown(page, row(page, say.testMessage).getByText(say.delivered));
    await expect(page.locator("#new-secret")).toHaveCount(0);
    await expect(page.getByRole("status").filter({ hasText: say.webhookHealthy })).toBeVisible();

    receiver.status = 503;
    await ask(page, "POST", "/links", { name: `Wiki ${language}`, url: "{host}" });
    const failed = row(page, say.linksChanged);
    await untilShown(page, failed.getByText("503"));
    await expect(page.getByRole("status").filter({ hasText: say.failing })).toBeVisible();
    const before = receiver.received.length;
    receiver.status = 200;
    await failed.getByRole("button", { name: say.sendNow }).click();
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
    await untilShown(page, failed.getByText(say.delivered));
    const [first, again] = [receiver.received[1]!, receiver.received.at(-1)!];
    expect(again.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(again.body).toBe(first.body);
    expect(JSON.parse(first.body)).toMatchObject({ type: "link.changed", data: {} });

    await page.getByRole("button", { name: say.replaceSecret }).click();
    await expect(page.getByText(say.secretReplaced)).toBeVisible();
    const newer = (await page.locator("#new-secret").textContent())!;
    await failed.getByRole("button", { name: say.sendAgain }).click();
    await expect.poll(() => isSigned(receiver.received.at(-1)!, newer) && isSigned(receiver.received.at(-1)!, secret)).toBe(true);

    await failed.getByRole("link", { name: say.linksChanged }).click();
    await expect(page.getByRole("dialog")).toContainText(first.headers["webhook-id"] as string);
    if (language === "ko") expect.soft(await violations(page)).toEqual([]);
    await page.goto(at(language, PATH));
    expect.soft(await beyondNarrowest(page)).toBe(0);
    await page.getByRole("link", { name: say.deleteAddress }).click();
    await page.getByRole("dialog").getByRole("button", { name: say.deleteAddress }).click();
    await expect(page.getByText(say.addressDeleted)).toBeVisible();
    await expect(page.getByRole("link", { name: say.addAddress })).toBeVisible();
    receiver.stop();
  });
}

// isSigned reports whether one of the signatures of a request is that of a secret.
function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const signature = createHmac("sha256", key).update(signed).digest("base64");
  return String(headers["webhook-signature"]).split(" ").includes(`v1,${signature}`);
}

// row is the latest delivery of a type.
function row(page: Page, type: string) {
  return page.locator(".list-deliveries tbody tr").filter({ hasText: type }).first();
}

// untilShown reloads the page until it shows what the server does by itself.
async function untilShown(page: Page, what: ReturnType<Page["locator"]>): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(what).toBeVisible({ timeout: 500 });
  }).toPass();
}
