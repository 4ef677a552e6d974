// The attendance log of a period, whose records can be edited together.
import { inSeoul } from "../clock.ts";
import { expect, test } from "../own.ts";
import { ADMIN, signIn } from "../people.ts";

test.describe.configure({ mode: "default", timeout: 60_000 });

const LOG = "/logs/workingattitude/management";
const LATE = `${LOG}?status=late&from=${inSeoul(32)}&to=${inSeoul(21)}`;

test("all matching records are counted, and edited once their number is confirmed", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto(LATE);
  const offer = page.getByRole("checkbox", { name: /조건에 맞는 기록/ });
  await page.locator("[data-pick]").first().check();
  await expect(offer).toBeHidden();
  await page.getByRole("checkbox", { name: "이 페이지의 기록 모두 선택" }).check();
  await expect(page.getByRole("checkbox", { name: /조건에 맞는 기록 \d+건 모두 선택/ })).toBeVisible();
  const matching = Number(/\d+/.exec((await page.locator(".bulk-all").innerText()))![0]);
  expect(matching).toBeGreaterThan(50);
  await offer.check();
  await page.getByRole("button", { name: "일괄 수정" }).click();

  await expect(page.getByRole("heading", { level: 1, name: `기록 ${matching}건 수정` })).toBeVisible();
  await expect(page.getByText(`그 밖의 기록 ${matching - 50}건`)).toBeVisible();
  await page.getByLabel("퇴근", { exact: true }).fill("20:00");
  await page.getByLabel("사유").fill("단말기 점검");
  await page.getByRole("button", { name: "바뀌는 기록 수 확인" }).click();
  const question = page.getByText(new RegExp(`조건에 맞는 기록 ${matching}건 가운데 \\d+건을 수정합니다`));
  await expect(question).toBeVisible();
  const edited = Number(/가운데 (\d+)건/.exec(await question.innerText())![1]);
  expect(edited).toBeGreaterThan(0);
  expect(edited).toBeLessThanOrEqual(matching);
  await page.getByRole("button", { name: `${edited}건 수정` }).click();
  await expect(page.locator(".toast")).toContainText(`기록 ${edited}건을 수정했습니다`);
  await expect(page).toHaveURL(LATE);
  await expect(page.getByRole("cell", { name: /퇴근 \d\d:\d\d → 20:00/ }).first()).toBeVisible();
});
