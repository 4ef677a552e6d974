// A script that fails to load was most likely replaced by a newer release: the
// page is loaded again, at most once per 60 s.
import { free } from "./guard.ts";
import { read, write } from "./store.ts";

const KEY = "chunk.reloaded";
const PAUSE = 60_000;

// loadChunk gives what was loaded, or null when it could not be.
export async function loadChunk<T>(load: () => Promise<T>, now = Date.now, reload = () => location.reload()): Promise<T | null> {
  try {
    return await load();
  } catch (error) {
    console.error("a script could not be loaded", error);
    if (now() - (read<number>(sessionStorage, KEY) ?? -Infinity) >= PAUSE) {
      write(sessionStorage, KEY, now());
      free();
      reload();
    }
    return null;
  }
}
