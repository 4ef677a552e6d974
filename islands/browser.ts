// Fills [data-browser] with the browser's name for a support call: "Chrome 142
// · Windows 11".

type Brand = { brand: string; version: string };
export type Hints = { brands: Brand[]; platform: string; platformVersion?: string };
type UserAgentData = Hints & { getHighEntropyValues(hints: string[]): Promise<Hints> };

export async function showBrowser(): Promise<void> {
  const places = document.querySelectorAll("[data-browser]");
  if (places.length === 0) return;
  const text = await browser();
  places.forEach((place) => (place.textContent = text));
}

async function browser(): Promise<string> {
  const { userAgentData: data, userAgent } = navigator as Navigator & { userAgentData?: UserAgentData };
  if (!data) return fromUserAgent(userAgent);
  const hints = await data.getHighEntropyValues(["platformVersion"]).catch(() => data as Hints);
  return fromHints(hints);
}

export function fromHints({ brands, platform, platformVersion }: Hints): string {
  const real = brands.filter(({ brand }) => !/not.?a.?brand/i.test(brand.replace(/[^a-z]/gi, "")));
  const named = real.find(({ brand }) => brand !== "Chromium") ?? real[0];
  const browser = named ? `${named.brand.replace(/^(Google|Microsoft) /, "")} ${named.version}` : "";
  return [browser, system(platform, platformVersion)].filter(Boolean).join(" · ");
}

// The platform version of Windows 11 is 13 or later, that of Windows 10 is 1 to
// 12.
function system(platform: string, version = ""): string {
  const major = parseInt(version, 10);
  if (platform !== "Windows") return [platform, platform === "Linux" ? "" : major || ""].filter(Boolean).join(" ");
  return major >= 13 ? "Windows 11" : major > 0 ? "Windows 10" : "Windows";
}

const BROWSERS: [RegExp, string][] = [
  [/Edg\/(\d+)/, "Edge"],
  [/OPR\/(\d+)/, "Opera"],
  [/Firefox\/(\d+)/, "Firefox"],
  [/Chrome\/(\d+)/, "Chrome"],
  [/Version\/(\d+).*Safari/, "Safari"],
];

const SYSTEMS: [RegExp, string][] = [
  [/Windows/, "Windows"],
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/CrOS/, "ChromeOS"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

export function fromUserAgent(agent: string): string {
  const [pattern, name] = BROWSERS.find(([pattern]) => pattern.test(agent)) ?? [];
  const browser = pattern ? `${name} ${pattern.exec(agent)![1]}` : "";
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1] ?? "";
  return [browser, system].filter(Boolean).join(" · ");
}
