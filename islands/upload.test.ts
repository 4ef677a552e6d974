import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { md5Of } from "./md5.ts";
import { $, click, open } from "./page.test-setup.ts";
import { watchUploads } from "./upload.ts";

const texts = Object.fromEntries(
  "waiting checking sending done retry remove too_large empty too_many md5 failed count progress".split(" ").map((key) => [key, key]),
);

const page = `
  <form id="form">
    <div data-upload="/uploads" data-most="5" data-largest="100" data-texts='${JSON.stringify(texts)}'>
      <input type="file" id="input" multiple><span data-files-count></span><span data-files-status></span>
      <ul data-files></ul>
    </div>
    <p data-unfinished hidden></p><button data-save>Save</button>
  </form>`;

// A Call is a request that the page has sent and that the test answers.
class Call {
  static all: Call[] = [];
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onabort?: () => void;
  status = 0;
  responseText = "";
  open(): void {}
  setRequestHeader(): void {}
  getResponseHeader(): string {
    return "application/json";
  }
  send(): void {
    Call.all.push(this);
  }
  abort(): void {
    this.onabort?.();
  }
  answer(status: number, body: object): void {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload?.();
  }
}

beforeEach(() => {
  open(page);
  Call.all = [];
  Object.assign(globalThis, { XMLHttpRequest: Call });
  watchUploads();
});

const states = () => [...document.querySelectorAll<HTMLElement>("[data-files] > li")].map((row) => row.dataset["state"]).join(" ");

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(holds(), `${holds} with ${states()}`);
}

// choose chooses files with these sizes.
function choose(...sizes: number[]): void {
  const files = sizes.map((size, i) => new File(["x".repeat(size)], `${i + 1}.txt`));
  Object.defineProperty($("#input"), "files", { value: files, configurable: true });
  $("#input").dispatchEvent(new Event("change", { bubbles: true }));
}

// submit reports whether the form was sent.
function submit(): boolean {
  return $("#form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
}

test("the digest of a file is that of its bytes, in chunks", async () => {
  const shares: number[] = [];
  const digest = await md5Of(new Blob(["a".repeat(512 * 1024 + 1)]), (share) => shares.push(share), new AbortController().signal);
  assert.equal(digest, "49ca33c1f3081d943d28c257304960a1");
  assert.equal(shares.length, 2);
  assert.equal(shares.at(-1), 1);
  assert.equal(await md5Of(new Blob(["abc"]), () => {}, new AbortController().signal), "900150983cd24fb0d6963f7d28e17f72");
});

test("three files are sent at a time, the rest in order", async () => {
  choose(1, 2, 3, 4);
  await until(() => Call.all.length === 3);
  assert.ok(states().endsWith("waiting"), states());
  assert.equal($("[data-save]").getAttribute("aria-disabled"), "true");
  Call.all[1]!.answer(201, { id: 12, name: "2.txt" });
  await until(() => Call.all.length === 4);
  for (const [i, call] of Call.all.entries()) call.answer(201, { id: 10 + i, name: `${i}.txt` });
  await until(() => states() === "done done done done");
  assert.equal($("[data-save]").getAttribute("aria-disabled"), "false");
  assert.equal($("[data-files-count]").textContent, "4/5");
  assert.ok(submit());
});

test("a file that failed is sent again alone", async () => {
  choose(1, 2);
  await until(() => Call.all.length === 2);
  Call.all[0]!.answer(422, { message: "MD5" });
  Call.all[1]!.answer(201, { id: 2, name: "2.txt" });
  await until(() => states() === "failed done");
  assert.equal($("[data-files] > li [role=alert]").textContent, "MD5");
  assert.ok(!submit());
  assert.equal(document.activeElement, $("[data-retry-file]"));
  click("[data-retry-file]");
  await until(() => Call.all.length === 3);
  Call.all[2]!.answer(201, { id: 1, name: "1.txt" });
  await until(() => states() === "done done");
  assert.deepEqual([...document.querySelectorAll<HTMLInputElement>("[name=attachment_id]")].map(({ value }) => value), ["1", "2"]);
});

test("files that are too large, empty or too many are not sent", async () => {
  choose(101, 0, 1, 1, 1, 1);
  await until(() => Call.all.length === 3);
  assert.deepEqual([...document.querySelectorAll("[data-files] > li [role=alert]")].map(({ textContent }) => textContent), ["too_large", "empty", "too_many"]);
  click("[data-files] > li:first-child [data-remove-file]");
  assert.equal($("[data-files-count]").textContent, "5/5");
});
