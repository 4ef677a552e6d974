import { defineConfig } from "@playwright/test";

export default defineConfig({ testDir: ".", testMatch: "accept.ts", reporter: [["line"]] });
