// A forgotten password: an administrator makes a link, and the person chooses a new
// password with it and signs in.
import { expect, test } from "../own.ts";
import { ADMIN, PASSWORD, signIn, VIEWER } from "../people.ts";

const CHOSEN = "Fresh!Air2027";

test.describe.configure({ mode: "default", timeout: 60_000 });

test("a link of an administrator sets a new password once", async ({ browser, page, own }) => {
  await signIn(page, ADMIN);
  await page.goto("/manage/security/access?user_id=3");
  const panel = page.getByRole("complementary");
  await expect(panel).toContainText(VIEWER);
  await panel.getByRole("button", { name: "링크 만들기" }).click();
  const dialog = page.getByRole("dialog", { name: "재설정 링크를 만들었습니다" });
  const link = await dialog.locator("pre").innerText();
  await dialog.getByRole("link", { name: "닫기" }).click();
  await expect(dialog).toBeHidden();
  await expect(panel).toContainText("쓸 수 있는 링크가 있습니다");
  await expect(page.getByText(link)).toHaveCount(0);

  const context = await browser.newContext({ locale: "ko-KR" });
  const device = await context.newPage();
  await device.goto(link);
  await expect(device).toHaveURL(`${own.url}/password`);
  await expect(device.getByRole("heading", { level: 1 })).toHaveText("새 비밀번호 설정");
  await device.getByLabel("새 비밀번호", { exact: false }).first().fill(CHOSEN);
  await device.getByLabel("새 비밀번호 확인").fill("Fresh!Air2028");
  await device.getByRole("button", { name: "비밀번호 저장" }).click();
  await expect(device.getByRole("alert")).toContainText("일치하지 않습니다");
  await device.getByLabel("새 비밀번호", { exact: false }).first().fill(CHOSEN);
  await device.getByLabel("새 비밀번호 확인").fill(CHOSEN);
  await device.getByRole("button", { name: "비밀번호 저장" }).click();
  await expect(device).toHaveURL(/\/login/);
  await expect(device.getByText("비밀번호를 바꿨습니다.")).toBeVisible();
  await device.getByLabel("이메일", { exact: true }).fill(VIEWER);
  await device.getByLabel("비밀번호", { exact: true }).fill(CHOSEN);
  await device.getByRole("button", { name: "로그인", exact: true }).click();
  await expect(device).toHaveURL(/\/policies\//); // VIEWER is an administrator here

  await device.goto(link);
  await expect(device.getByText("이 링크로는 비밀번호를 설정할 수 없습니다.")).toBeVisible();
  await context.close();
  await own.run(["user", "set-password", VIEWER], `${PASSWORD}\n`); // for the tests that follow
});
