// The MD5 of a file, computed in chunks so that the page stays responsive.
import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";

const CHUNK = 512 * 1024;

// md5Of returns the digest in hexadecimal. progress is called with shares from 0
// to 1. It throws what reading the file throws, and when the signal ends.
export async function md5Of(file: Blob, progress: (share: number) => void, signal: AbortSignal): Promise<string> {
  const hash = md5.create();
  for (let from = 0; from < file.size; from += CHUNK) {
    signal.throwIfAborted();
    const chunk = file.slice(from, from + CHUNK);
    hash.update(new Uint8Array(await chunk.arrayBuffer()));
    progress(Math.min(1, (from + chunk.size) / file.size));
  }
  return bytesToHex(hash.digest());
}
