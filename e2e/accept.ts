// Accepts the changed pictures, for make accept-pictures.
import { test } from "@playwright/test";
import { accept } from "./pictures.ts";

test("accept the changed pictures", () => {
  console.log(`${accept()} pictures accepted: commit e2e/pictures.`);
});
