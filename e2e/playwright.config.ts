import { defineConfig } from "@playwright/test";
import { browser } from "./browser.ts";

export default defineConfig({
  testDir: "tests",
  globalSetup: "./setup.ts",
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    baseURL: process.env["CONSOLE_URL"]!, // which the setup gives
    launchOptions: await browser(),
    viewport: { width: 1280, height: 800 },
    locale: "ko-KR",
    timezoneId: "Asia/Kolkata", // neither the company's nor a whole number of hours away
    screenshot: "only-on-failure",
  },
});
