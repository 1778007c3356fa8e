/** How the origin that started a request relates to the one it goes to (`Sec-Fetch-Site`). */
export type SecFetchSite = "none" | "same-origin" | "same-site" | "cross-site"

/** Compares two origins as a browser does; `undefined` stands for the person at the address bar. */
export function siteRelation(from: string | undefined, to: URL): SecFetchSite {
  if (from === undefined) return "none"
  if (!URL.canParse(from)) return "cross-site"
  const initiator = new URL(from)
  if (initiator.origin === to.origin) return "same-origin"
  const sameSite = initiator.protocol === to.protocol && siteOf(initiator) === siteOf(to)
  return sameSite ? "same-site" : "cross-site"
}

/** The last two labels of a host: enough of the public suffix list for names that end in `.example`. */
function siteOf({ hostname }: URL): string {
  return /^[\d.]+$|:/.test(hostname) ? hostname : hostname.split(".").slice(-2).join(".")
}
