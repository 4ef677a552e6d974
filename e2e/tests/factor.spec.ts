// Second factors: passkeys with the virtual authenticator of Chromium, an authenticator
// app and recovery codes, also without scripts, and the proof before dangerous acts.
import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import { now } from "../clock.ts";
import { elapseProofs } from "../elapse.ts";
import { expect, test } from "../own.ts";
import { ADMIN, EMPLOYEE, MANAGER, PASSWORD, signIn, signInByForm } from "../people.ts";

test.describe.configure({ mode: "default" });

const FACTORS = "/profile/factors";

// Browsers offer passkeys at localhost, and not at an address.
test.use({ baseURL: async ({ own }, use) => use(own.url.replace("127.0.0.1", "localhost")) });

test("a passkey is added, and signs in after the password and alone", async ({ page }) => {
  await addAuthenticator(page);
  await signIn(page, EMPLOYEE);
  await page.goto(FACTORS);
  await page.getByRole("link", { name: "패스키 추가" }).click();
  await page.getByRole("textbox", { name: "이름" }).fill("회사 노트북");
  await page.getByRole("button", { name: "패스키 만들기" }).click();
  await expect(page.locator(".codes li")).toHaveCount(10);
  await expect(page.getByRole("button", { name: "인쇄" })).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "내려받기" }).click()]);
  expect(file.suggestedFilename()).toBe("officeconsole-recovery-codes.txt");
  await expect(page.getByText("회사 노트북")).toBeVisible();

  await page.context().clearCookies();
  await page.goto("/login?next=/profile");
  await signInByForm(page, "ko", EMPLOYEE, PASSWORD);
  await expect(page).toHaveURL("/login/factor");
  await page.getByRole("button", { name: "패스키 사용" }).click();
  await expect(page).toHaveURL("/profile");

  await page.context().clearCookies();
  await page.goto("/login?next=/profile/factors");
  await page.getByRole("link", { name: "패스키로 로그인" }).click();
  await page.getByRole("button", { name: "패스키로 로그인" }).click();
  await expect(page).toHaveURL(FACTORS);
  await page.getByRole("link", { name: "회사 노트북 이름 바꾸기" }).click();
  await page.getByRole("textbox", { name: "이름" }).fill("집 노트북");
  await page.getByRole("button", { name: "저장" }).click();
  await page.getByRole("link", { name: "집 노트북 삭제" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "삭제" }).click();
  await expect(page.getByText("등록한 패스키가 없습니다.")).toBeVisible();
});

test("a passkey that the browser does not have says so, and nothing is lost", async ({ page }) => {
  await signIn(page, EMPLOYEE);
  await page.goto(`${FACTORS}?passkey=1`);
  await page.getByRole("textbox", { name: "이름" }).fill("없는 기기");
  await page.evaluate(() => {
    navigator.credentials.create = () => Promise.reject(new DOMException("cancelled", "NotAllowedError"));
  });
  await page.getByRole("button", { name: "패스키 만들기" }).click();
  await expect(page.getByText("패스키를 사용하지 못했습니다.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "이름" })).toHaveValue("없는 기기");
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });

    test("an app and recovery codes work", async ({ page, own }) => {
      const who = javaScriptEnabled ? MANAGER : ADMIN;
      await signIn(page, who);
      await page.goto(FACTORS);
      await page.getByRole("button", { name: "인증 앱 등록" }).click();
      const key = (await page.locator("#app-key").textContent())!;
      await page.locator("#code").fill("000000");
      await page.getByRole("button", { name: "등록", exact: true }).click();
      await expect(page.locator("#code-error")).toContainText("맞지 않습니다");
      const used = code(key);
      await page.locator("#code").fill(used);
      await page.getByRole("button", { name: "등록", exact: true }).click();
      await expect(page.locator(".codes li")).toHaveCount(10);
      const recovery = await page.locator(".codes li").allTextContents();

      await page.context().clearCookies();
      await page.goto("/login");
      await signInByForm(page, "ko", who, PASSWORD);
      await page.getByLabel("인증 앱의 여섯 자리 숫자").fill(used);
      await page.getByRole("button", { name: "확인" }).click();
      await expect(page.getByRole("alert")).toContainText("이미 쓴 숫자입니다");
      await page.getByRole("link", { name: "복구 코드 사용" }).click();
      await page.getByLabel("복구 코드").fill(recovery[0]!);
      await page.getByRole("button", { name: "확인" }).click();
      await expect(page).not.toHaveURL(/login/);
      await page.goto(FACTORS);
      await expect(page.getByText("9개 남았습니다.")).toBeVisible();
      await own.run(["user", "reset-factors", who]);
    });
  });
}

test("a reset by command is shown to the person, and a token asks for a proof", async ({ page, own }) => {
  await signIn(page, ADMIN);
  await page.goto("/manage/security/tokens");
  await expect(page.getByText("관리자가 2단계 인증을 초기화했습니다.")).toBeVisible();
  await page.getByRole("button", { name: "확인했습니다" }).click();
  await expect(page.getByText("관리자가 2단계 인증을 초기화했습니다.")).toBeHidden();

  await page.goto("/manage/security/tokens?create=1");
  await page.getByRole("textbox", { name: "이름" }).fill("급여 시스템");
  await page.locator("dialog input[type=checkbox]").first().check();
  await elapseProofs(own, 11);
  await page.getByRole("button", { name: "토큰 만들기" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "본인 확인" })).toBeVisible();
  await page.locator("#proof_password").fill(PASSWORD);
  await page.getByRole("button", { name: "확인", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("토큰");
  await page.goto("/manage/security/tokens");
  await expect(page.getByRole("row", { name: /급여 시스템/ })).toBeVisible();
});

const OPTIONS = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } as const;

// addAuthenticator gives the browser an authenticator that agrees to everything.
async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", { options: OPTIONS });
}

// code returns what an authenticator app shows (RFC 6238).
function code(key: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...key.replaceAll(/\s/g, "")].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const secret = Buffer.from(bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(now() / 30_000)));
  const hash = createHmac("sha1", secret).update(step).digest();
  const at = hash.at(-1)! & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
