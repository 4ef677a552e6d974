// Sends a file with its progress, which fetch cannot report.
import { messageOf } from "./failure.ts";
import { personHeader } from "./session-state.ts";

const WAIT = 5 * 60_000;

// send sends a file with its MD5 and returns what the server stored. It throws an
// Error with the server's message, or with none.
export function send(url: string, file: File, md5: string, progress: (share: number) => void, signal: AbortSignal): Promise<{ id: number; name: string }> {
  const body = new FormData();
  body.append("md5", md5);
  body.append("file", file);
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open("POST", url);
    call.timeout = WAIT;
    const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang, ...personHeader() };
    for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value);
    call.upload.onprogress = ({ loaded, total }) => progress(loaded / total);
    call.onload = () => {
      if (call.status === 201) resolve(JSON.parse(call.responseText) as { id: number; name: string });
      else reject(new Error(messageOf(call.responseText, new Headers({ "Content-Type": call.getResponseHeader("Content-Type") ?? "" })) ?? ""));
    };
    call.onerror = call.ontimeout = call.onabort = () => reject(new Error());
    signal.addEventListener("abort", () => call.abort());
    call.send(body);
  });
}
