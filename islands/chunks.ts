// A script that fails to load was probably replaced by a newer release, so the
// page is reloaded, at most once per 60 s. Without a connection it stays as it is.
import { allowLeaving } from "./guard.ts";
import { read, write } from "./store.ts";

const KEY = "chunk.reloaded";
const PAUSE = 60_000;

// loadChunk returns what was loaded, or null if loading failed.
export async function loadChunk<T>(load: () => Promise<T>, now = Date.now, reload = () => location.reload()): Promise<T | null> {
  try {
    return await load();
  } catch (error) {
    console.error("a script could not be loaded", error);
    if (navigator.onLine && now() - (read<number>(sessionStorage, KEY) ?? -Infinity) >= PAUSE) {
      write(sessionStorage, KEY, now());
      allowLeaving();
      reload();
    }
    return null;
  }
}
