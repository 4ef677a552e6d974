// One console with the demo company serves all tests that do not change it.
import { chromium, type FullConfig } from "@playwright/test";
import { createDemo, demoConsole } from "./demo.ts";

export default async function setup(config: FullConfig): Promise<() => Promise<void>> {
  await announceBrowser(config);
  const demo = await createDemo();
  const server = await (await demoConsole()).serve("--demo");
  process.env["CONSOLE_URL"] = server.url;
  return async () => {
    await server.stop();
    await demo.stop();
  };
}

async function announceBrowser(config: FullConfig): Promise<void> {
  const options = config.projects[0]?.use.launchOptions;
  const browser = await chromium.launch(options);
  console.log(`Browser: ${options?.executablePath} (Chromium ${browser.version()})`);
  await browser.close();
}
