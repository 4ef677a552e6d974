// One console with the demo company serves all tests that do not change it, another one
// those that compare pictures.
import { chromium, type FullConfig } from "@playwright/test";
import { isPacked } from "./browser.ts";
import { createDemo, demoConsole } from "./demo.ts";
import { picturedConsole } from "./pictured.ts";
import { forgetChanged } from "./pictures.ts";

export default async function setup(config: FullConfig): Promise<() => Promise<void>> {
  await announceBrowser(config);
  forgetChanged();
  const demo = await createDemo();
  const server = await (await demoConsole()).serve("--demo");
  process.env["CONSOLE_URL"] = server.url;
  const pictured = await picturedConsole();
  return async () => {
    await pictured.stop();
    await server.stop();
    await demo.stop();
  };
}

async function announceBrowser(config: FullConfig): Promise<void> {
  const options = config.projects[0]?.use.launchOptions;
  const browser = await chromium.launch(options);
  console.log(`Browser: ${options?.executablePath} (Chromium ${browser.version()})`);
  await browser.close();
  if (!isPacked) console.log("Pictures of pages are not compared: only those of the npm package's browser look the same everywhere.");
}
