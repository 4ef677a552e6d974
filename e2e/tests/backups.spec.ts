// The page of the console's own backups: none yet, one, and one that failed.
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { violations } from "../accessible.ts";
import { clipped } from "../clipped.ts";
import { demoConsole } from "../demo.ts";
import { expect, test } from "../fixtures.ts";
import { ADMIN, at, signIn } from "../people.ts";
import { languages } from "../texts.ts";

const BACKUPS = "/manage/operation/backups";

test("an operator sees a backup, and why the next one failed", async ({ page }) => {
  test.setTimeout(120_000);
  const dir = mkdtempSync(join(tmpdir(), "officeconsole-backups-"));
  const console = await demoConsole();
  try {
    await console.serve("--operating-company", "hanbit.example", "--backup-dir", dir, "--backup-every", "1m", "--backup-keep", "2");
    await signIn(page, ADMIN, console.url);
    await expect(async () => {
      await page.goto(console.url + BACKUPS);
      await expect(page.getByRole("rowheader")).not.toHaveCount(0);
    }).toPass({ timeout: 60_000 });
    await expect(page.getByRole("cell", { name: /^officeconsole-.*\.tar\.zst$/ }).first()).toBeVisible();
    for (const language of languages) {
      await page.goto(console.url + at(language, BACKUPS));
      expect(await violations(page)).toEqual([]);
      expect(await clipped(page)).toEqual([]);
    }

    renameSync(dir, `${dir}.away`);
    await page.goto(console.url + BACKUPS);
    await expect(page.getByRole("alert")).toContainText("백업 폴더가 없거나");
    expect(await violations(page)).toEqual([]);
  } finally {
    await console.stop();
    rmSync(dir, { recursive: true, force: true });
    rmSync(`${dir}.away`, { recursive: true, force: true });
  }
});
