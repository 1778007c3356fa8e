/** Names devices for the list of sessions. Users only have to recognise theirs. */
import type { RequestView } from "@latchkey/core/types"

// In this order, because Edge says that it is Chrome, too, and Chrome that it is Safari.
const browsers = { Edg: "Edge", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" }
const systems = {
  Android: "Android",
  iPhone: "iPhone",
  iPad: "iPad",
  Windows: "Windows",
  Macintosh: "macOS",
  Linux: "Linux",
}

/** Returns a name such as "Firefox on Linux". */
export function getDeviceLabel({ headers }: RequestView): string {
  const userAgent = headers.get("user-agent") ?? ""
  const find = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).find(([mark]) => userAgent.includes(mark))?.[1]
  return `${find(browsers) ?? "Unknown browser"} on ${find(systems) ?? "an unknown device"}`
}
