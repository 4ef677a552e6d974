// Consoles with the demo company. It is created once, and its data copied for
// every console, because creating it takes as long as many tests.
import { Console } from "./console.ts";

// createDemo creates the company whose data demoConsole copies, as an operator does
// who tries the program. Its clock stands still, so that the data is always the same.
export async function createDemo(): Promise<Console> {
  const demo = new Console();
  demo.isClockStopped = true;
  await demo.serve("--demo");
  await demo.end();
  process.env["DEMO_DATA"] = demo.dataDir; // workers inherit it
  return demo;
}

// demoConsole returns a console with the demo company that does not run yet.
export async function demoConsole(): Promise<Console> {
  const console = new Console();
  await console.copyFrom(process.env["DEMO_DATA"]!);
  return console;
}
