// Passing time that tests cannot wait for: until a risky version has to be
// confirmed, a replaced token of the bot ends, or the files of a notice can no
// longer be downloaded. The clock of a running program cannot be changed, so this
// makes the rows older, in the built-in database.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Console } from "./console.ts";

export async function elapse(console: Console, minutes: number): Promise<void> {
  const earlier = (column: string) => `${column} = ${column} - interval '${minutes} minutes'`;
  await run(console, `begin;
    update policy_versions set ${["effective_from", "until", "confirm_by", "created_at"].map(earlier).join(", ")}
      where policy_id in (select policy_id from policy_versions where confirm_by is not null);
    update bot_tokens set ${earlier("ends_at")} where ends_at is not null;
    update companies set policy_version = policy_version + 1;
    commit`);
}

// elapseProofs makes the last proof of everybody who is signed in older.
export async function elapseProofs(console: Console, minutes: number): Promise<void> {
  await run(console, `begin; update sign_ins set proved_at = proved_at - interval '${minutes} minutes'; commit`);
}

// elapseSessions brings the end of every session nearer.
export async function elapseSessions(console: Console, minutes: number): Promise<void> {
  await run(console, `begin; update sign_ins set expires_at = expires_at - interval '${minutes} minutes'; commit`);
}

// elapseNotices makes every notice older, by a number of days.
export async function elapseNotices(console: Console, days: number): Promise<void> {
  await run(console, `begin; update notices set publish_at = publish_at - interval '${days} days'; commit`);
}

// run sends a query by the simple protocol of PostgreSQL, whose messages are a
// letter, a length and a body.
async function run(console: Console, sql: string): Promise<void> {
  const [, , , port, directory] = readFileSync(join(console.dataDir, "data", "postmaster.pid"), "utf8").split("\n");
  const socket = connect(join(directory!, `.s.PGSQL.${port}`));
  const who = "user\0officeconsole\0database\0officeconsole\0\0";
  socket.write(Buffer.concat([sized(Buffer.concat([int(3 << 16), Buffer.from(who)])), message("Q", `${sql}\0`), message("X", "")]));
  const answer = await text(socket);
  if (!answer.includes("COMMIT\0")) throw new Error(`the database refused: ${answer}`);
}

function message(type: string, body: string): Buffer {
  return Buffer.concat([Buffer.from(type), sized(Buffer.from(body))]);
}

function sized(body: Buffer): Buffer {
  return Buffer.concat([int(body.length + 4), body]);
}

function int(n: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(n);
  return bytes;
}
