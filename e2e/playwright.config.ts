import { defineConfig } from "@playwright/test";
import { browser } from "./browser.ts";

export default defineConfig({
  testDir: "tests",
  globalSetup: "./setup.ts",
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  retries: process.env["CI"] ? 1 : 0, // on a busy machine; what passes only then is reported as flaky
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    baseURL: process.env["CONSOLE_URL"]!, // set by the global setup
    launchOptions: await browser(),
    viewport: { width: 1280, height: 800 },
    locale: "ko-KR",
    timezoneId: "Asia/Kolkata", // not the company's time zone, and with an offset of half an hour
    screenshot: "only-on-failure",
  },
});
