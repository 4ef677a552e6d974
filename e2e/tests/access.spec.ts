// The access history: a wrong password is found in it, and the session of the
// person is ended from there.
import { expect, test } from "../own.ts";
import { ADMIN, EMPLOYEE, signIn } from "../people.ts";

const ACCESS = "/manage/security/access";

test.describe.configure({ mode: "default", timeout: 60_000 });

test("a wrong password is found in the history, and the person's session is ended from there", async ({ browser, page, own }) => {
  const device = await (await browser.newContext()).newPage();
  await signIn(device, EMPLOYEE, own.url);
  await device.goto(`${own.url}/logs/workingattitude/day`);
  const name = await device.locator("[popovertarget=me] bdi").innerText();
  const wrong = await page.request.post("/login", { form: { email: EMPLOYEE, password: "wrong" }, maxRedirects: 0 });
  expect(wrong.status()).toBe(422);

  await signIn(page, ADMIN);
  await page.goto(`${ACCESS}?result=failed`);
  await page.getByRole("searchbox", { name: "이름, 계정 또는 IP 주소 검색" }).fill(name);
  await page.getByRole("searchbox", { name: "이름, 계정 또는 IP 주소 검색" }).press("Enter");
  const row = page.getByRole("row", { name: new RegExp(`${name}.*비밀번호 불일치`) }).first();
  await row.getByRole("link", { name }).click();
  const panel = page.getByRole("complementary", { name });
  await expect(panel.getByRole("heading", { name: "상세 정보" })).toBeVisible();
  await panel.getByRole("button", { name: /세션 종료$/ }).first().click();
  await expect(page.getByText("세션을 종료했습니다.")).toBeVisible();
  await device.goto(`${own.url}/logs/workingattitude/day`);
  await expect(device).toHaveURL(/\/login/);
  await device.context().close();
});
