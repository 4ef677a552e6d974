import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { watchOrder } from "./order.ts";
import { $, open } from "./page.test-setup.ts";

const row = (id: string, name: string) => `
  <tr id="link-${id}" data-order-id="${id}">
    <td><button type="button" data-order-handle id="handle-${id}"></button>
      <div popover><form data-form="${id}"><input type="hidden" name="after" value="9"><button>Up</button></form><form><input type="hidden" name="after"></form></div></td>
    <th><a href="#">${name}</a></th>
    <td><form data-form="switch"></form></td></tr>`;

const texts = `data-order data-order-taken="took {name}" data-order-moved="{name} {position}/{count}" data-order-dropped="dropped {name} {position}" data-order-cancelled="back {name}"`;

const links = `<table><tbody ${texts}>${row("11", "Wiki")}${row("12", "$&amp; {count}")}${row("13", "Mail")}${row("14", "Help")}</tbody></table><button id="elsewhere"></button>`;

const services = `<table><tbody ${texts}><tr id="service-chat"><th>Chat</th></tr>${row("mail", "Mail")}${row("poll", "Polls")}</tbody></table>`;

let sent: string[];

// show opens a page with rows and records what is submitted: FORM after ROW.
function show(body: string): void {
  open(body);
  sent = [];
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    sent.push(`${form.dataset["form"]} after ${form.querySelector<HTMLInputElement>("[name=after]")?.value}`);
  });
  watchOrder();
}

beforeEach(() => show(links));

// press sends keys to a handle, which stays focused while its row moves.
function press(id: string, ...keys: string[]): void {
  $(`#handle-${id}`).focus();
  for (const key of keys) document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

const order = () => [...document.querySelectorAll("tbody > tr")].map((tr) => tr.id.replace(/^.*-/, "")).join(" ");
const said = () => document.querySelector("[role=status]")?.textContent ?? "";

test("arrows move a row that Space has taken, and Enter sends its form", () => {
  press("11", " ");
  assert.equal($("#link-11").dataset["taken"], "");
  assert.equal(said(), "took Wiki");
  press("11", "ArrowDown");
  assert.equal(said(), "Wiki 2/4");
  press("11", "ArrowDown");
  assert.equal(order(), "12 13 11 14");
  assert.equal(document.activeElement!.id, "handle-11");
  assert.deepEqual(sent, []);
  press("11", "Enter");
  assert.deepEqual(sent, ["11 after 13"]);
  assert.equal(said(), "dropped Wiki 3");
  assert.equal($("#link-11").dataset["taken"], undefined);
});

test("a row becomes the first or the last, and goes no further", () => {
  press("13", " ", "Home", "ArrowUp");
  assert.equal(order(), "13 11 12 14");
  press("13", " ");
  assert.deepEqual(sent, ["13 after 0"]);
  press("13", " ", "End", "ArrowDown");
  assert.equal(order(), "11 12 14 13");
  assert.equal(said(), "Mail 4/4");
  press("13", "Enter");
  assert.deepEqual(sent, ["13 after 0", "13 after 14"]);
});

test("Escape puts a row back and sends nothing", () => {
  press("12", " ", "End", "Escape");
  assert.equal(order(), "11 12 13 14");
  assert.equal(said(), "back $& {count}");
  assert.equal(document.activeElement!.id, "handle-12");
  assert.equal($("#link-12").dataset["taken"], undefined);
  press("12", "ArrowDown", "Enter"); // nothing is taken any more
  assert.equal(order(), "11 12 13 14");
  assert.deepEqual(sent, []);
});

test("a row that is dropped where it was sends nothing", () => {
  press("12", " ", "Enter");
  press("12", " ", "ArrowDown", "ArrowUp", "Enter");
  assert.equal(said(), "dropped $& {count} 2");
  assert.deepEqual(sent, []);
});

test("a row is put back when the focus leaves its handle, and the focus is not taken back", () => {
  press("11", " ", "ArrowDown");
  $("#elsewhere").focus();
  assert.equal(order(), "11 12 13 14");
  assert.equal(document.activeElement!.id, "elsewhere");
  assert.equal(said(), "back Wiki");
});

test("no row passes a locked one", () => {
  show(services);
  press("poll", " ", "Home", "ArrowUp");
  assert.equal(order(), "chat poll mail");
  assert.equal(said(), "Polls 2/3");
  press("poll", "Enter");
  assert.deepEqual(sent, ["poll after chat"]);
});

test("keys act on handles only, and other keys keep their effect", () => {
  const key = (selector: string, name: string) => $(selector).dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  assert.equal(key("#elsewhere", " "), true);
  assert.equal(key("#handle-11", "Enter"), true); // opens the menu
  assert.equal(key("#handle-11", " "), false);
  assert.equal(key("#handle-11", "Tab"), true);
});

test("a row that another page has replaced is forgotten", () => {
  press("11", " ");
  $("tbody").innerHTML = row("12", "New") + row("13", "Mail");
  press("12", " ", "ArrowDown", "Enter");
  assert.deepEqual(sent, ["12 after 13"]);
});

const pointer = (type: string, target: EventTarget, clientY: number) =>
  target.dispatchEvent(Object.assign(new MouseEvent(type, { bubbles: true, cancelable: true, button: 0, clientY })));

// layOut gives the rows a height of 100 px, from 100 px on.
function layOut(): void {
  [...document.querySelectorAll("tbody > tr")].forEach((tr) => {
    tr.getBoundingClientRect = () => ({ top: 100 + 100 * [...tr.parentElement!.children].indexOf(tr), bottom: 200 + 100 * [...tr.parentElement!.children].indexOf(tr), height: 100 }) as DOMRect;
  });
  Object.assign(globalThis, { scrollBy: () => {}, innerHeight: 800 });
}

test("a drag goes on when the answer to an earlier drop comes", () => {
  layOut();
  $("#handle-14").focus();
  pointer("pointerdown", $("#handle-14"), 450);
  pointer("pointermove", document, 150);
  assert.equal(order(), "14 11 12 13");
  $("tbody").append($("#link-14")); // as the server knows the rows
  $("#handle-14").dispatchEvent(new Event("focusout", { bubbles: true }));
  pointer("pointerup", document, 150);
  assert.equal(order(), "14 11 12 13");
  assert.deepEqual(sent, ["14 after 0"]);
});

test("dragging a handle moves its row, a click does not", () => {
  layOut();
  pointer("pointerdown", $("#handle-11"), 150);
  pointer("pointermove", document, 152);
  pointer("pointerup", document, 152);
  assert.equal(order(), "11 12 13 14");
  pointer("pointerdown", $("#handle-11"), 150);
  pointer("pointermove", document, 250);
  pointer("pointermove", document, 350);
  pointer("pointerup", document, 350);
  assert.equal(order(), "12 13 11 14");
  assert.deepEqual(sent, ["11 after 13"]);
  pointer("pointerdown", $("#handle-12"), 150);
  pointer("pointermove", document, 250);
  pointer("pointercancel", document, 250);
  assert.equal(order(), "12 13 11 14");
  assert.equal(sent.length, 1);
});
