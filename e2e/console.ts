// The program under test: the built binary, each instance with a data directory
// of its own.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { isClockStopped, OFFSET_OPTION, START } from "./clock.ts";

const BINARY = process.env["CONSOLE_BINARY"] ?? join(import.meta.dirname, "..", "bin", "officeconsole");
const READY = /^Office Console is ready: (\S+)$/m;
const STARTING = 300_000; // serve --demo fills an empty database first
const STOPPING = 40_000; // the program gives running requests 30 s

export type Output = { code: number; stdout: string; stderr: string };

export class Console {
  readonly dataDir = join(tmpdir(), `officeconsole-${randomUUID().slice(0, 8)}`);
  readonly databaseURL: string;
  url = "";
  isClockStopped = isClockStopped();
  token = ""; // with which the messenger reads and sends events, where one was created
  #process: ChildProcess | undefined;
  #log = "";

  // databaseURL replaces the built-in database.
  constructor(databaseURL = "") {
    this.databaseURL = databaseURL;
  }

  // copyFrom copies the data of a console that does not run.
  async copyFrom(dataDir: string): Promise<void> {
    await promisify(execFile)("cp", ["-a", dataDir, this.dataDir]); // fs.cp would lose the owner, who runs PostgreSQL
  }

  // run runs a command of the program and returns its output.
  run(args: string[], input = ""): Promise<Output> {
    return new Promise((resolve) => {
      const child = execFile(BINARY, args, { env: this.#env(), maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      );
      child.stdin?.end(input);
    });
  }

  // serve starts the server and returns once it is ready.
  async serve(...args: string[]): Promise<this> {
    if (!existsSync(BINARY)) throw new Error(`${BINARY} is not there: run make build`);
    this.#log = "";
    const child = spawn(BINARY, ["serve", "--listen", "127.0.0.1:0", ...args], { env: this.#env(), stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (this.#log += String(data)));
    await until(STARTING, () => {
      this.#mustRun();
      this.url = READY.exec(this.#log)?.[1] ?? "";
      return Promise.resolve(this.url !== "");
    }, () => `not started: ${this.#log}`);
    await this.whenReady();
    return this;
  }

  // whenReady waits until the server reaches its database.
  async whenReady(): Promise<void> {
    await until(STARTING, () => this.#isReady(), () => `not ready: ${this.#log.slice(-2000)}`);
  }

  // stop ends the server and removes its data.
  async stop(): Promise<void> {
    await this.end();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  // end stops the server as an operator does. It can be started again.
  async end(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      const patience = new AbortController();
      const late = pause(STOPPING, "late", { signal: patience.signal }).catch(() => "");
      const outcome = await Promise.race([ended, late]);
      patience.abort();
      if (outcome === "late") child.kill("SIGKILL");
      if (outcome !== 0) throw new Error(`stopped with ${String(outcome)}: ${this.#log.slice(-2000)}`);
    }
  }

  // stopDatabase kills the built-in database and makes its program unavailable,
  // so that the supervisor cannot restart it.
  async stopDatabase(): Promise<void> {
    renameSync(this.#postgres(), `${this.#postgres()}.away`);
    const [pid] = readFileSync(join(this.dataDir, "data", "postmaster.pid"), "utf8").split("\n");
    process.kill(Number(pid), "SIGKILL");
    await until(STARTING, async () => !(await this.#isReady()), () => "the database does not end");
  }

  // startDatabase lets the supervisor restart the database.
  async startDatabase(): Promise<void> {
    renameSync(`${this.#postgres()}.away`, this.#postgres());
    await this.whenReady();
  }

  #postgres(): string {
    const unpacked = readdirSync(this.dataDir).find((name) => name.startsWith("server-"));
    if (!unpacked) throw new Error(`no server in ${this.dataDir}`);
    return join(this.dataDir, unpacked, "bin", "postgres");
  }

  async #isReady(): Promise<boolean> {
    this.#mustRun();
    return (await fetch(`${this.url}/readyz`).catch(() => undefined))?.ok ?? false;
  }

  #mustRun(): void {
    if (this.#process?.exitCode !== null) throw new Error(`the server has ended: ${this.#log}`);
  }

  // The environment without settings of the program and of PostgreSQL.
  #env(): NodeJS.ProcessEnv {
    const others = Object.entries(process.env).filter(([name]) => !/^(OFFICECONSOLE_|DATABASE_URL$|PG)/.test(name));
    const database = this.databaseURL ? { OFFICECONSOLE_DATABASE_URL: this.databaseURL } : { OFFICECONSOLE_DATA_DIR: this.dataDir };
    const clock = this.isClockStopped ? { OFFICECONSOLE_CLOCK_AT: START } : { OFFICECONSOLE_CLOCK_OFFSET: OFFSET_OPTION };
    return { ...Object.fromEntries(others), ...database, ...clock };
  }
}

async function until(patience: number, done: () => Promise<boolean>, why: () => string): Promise<void> {
  for (const end = Date.now() + patience; !(await done()); await pause(25)) {
    if (Date.now() > end) throw new Error(why());
  }
}
