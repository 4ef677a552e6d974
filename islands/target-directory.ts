import { useCallback, useEffect, useState } from "react";
import { type Department, type Items, itemsOf } from "./departments.ts";
import type { Frame } from "./mount.tsx";
import { keyOf, type Policy, type Taken, type Target } from "./targets.ts";

export type Directory = { items: Items | null; departments: ReadonlyMap<string, Department>; taken: Taken; failed: boolean };

type Entry = Pick<Target, "type" | "id"> & { policy: Policy };

// useDirectory returns the departments and the targets that other policies have
// taken. They are requested each time the dialog opens; until there is a
// response, and if the request fails, the earlier data is used. The browser
// caches the departments by their ETag.
export function useDirectory(open: boolean, departmentsURL: string | undefined, takenURL: string | undefined, request: Frame["request"]): [Directory, () => void] {
  const [directory, setDirectory] = useState<Directory>({ items: null, departments: new Map(), taken: new Map(), failed: false });
  const load = useCallback(async () => {
    setDirectory((known) => ({ ...known, failed: false }));
    try {
      const [departments, taken] = await Promise.all([list<Department>(departmentsURL, request), list<Entry>(takenURL, request)]);
      setDirectory({
        items: itemsOf(departments),
        departments: new Map(departments.map((department) => [String(department.id), department])),
        taken: new Map(taken.map((entry) => [keyOf(entry), entry.policy])),
        failed: false,
      });
    } catch {
      setDirectory((known) => ({ ...known, failed: true }));
    }
  }, [departmentsURL, takenURL, request]);
  useEffect(() => void (open && load()), [open, load]);
  return [directory, load];
}

async function list<Row>(url: string | undefined, request: Frame["request"]): Promise<Row[]> {
  if (!url) return [];
  const response = await request(url, { quiet: true });
  return ((await response.json()) as { data: Row[] }).data;
}
