// One console with the demo company serves every test that leaves it as it was.
import { Console } from "./console.ts";

export default async function setup(): Promise<() => Promise<void>> {
  const console = await new Console().serve("--demo");
  process.env["CONSOLE_URL"] = console.url;
  return () => console.stop();
}
