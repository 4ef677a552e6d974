// Browser storage, which a private window or a full disk may refuse: reading
// then returns null, writing does nothing.

export function read<T>(storage: Storage, key: string): T | null {
  try {
    return JSON.parse(storage.getItem(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

export function write(storage: Storage, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the value is lost.
  }
}

export function remove(storage: Storage, key: string): void {
  try {
    storage.removeItem(key);
  } catch {
    // There is nothing to remove.
  }
}
