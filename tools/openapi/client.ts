// A TypeScript program that uses the types generated from the document, to check
// that they compile and are usable.
import type { paths } from "./built/schema.ts";

type Policies = paths["/companies/{company_id}/users/{id}/policies/{kind}"]["get"];
type Answer = Policies["responses"]["200"]["content"]["application/json"];

export async function policyNames(base: string, path: Policies["parameters"]["path"], token: string): Promise<string[]> {
  const url = `${base}/companies/${path.company_id}/users/${path.id}/policies/${path.kind}`;
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  const { data } = (await answer.json()) as Answer;
  return (data ?? []).map((policy) => policy.name);
}
