/** How the origin that started a request relates to the one it goes to (`Sec-Fetch-Site`). */
export type SecFetchSite = "none" | "same-origin" | "same-site" | "cross-site"

/** Compares two origins as a browser does; `undefined` stands for the person at the address bar. */
export function computeSecFetchSite(
  initiatorOrigin: string | undefined,
  target: URL,
): SecFetchSite {
  if (initiatorOrigin === undefined) return "none"
  if (!URL.canParse(initiatorOrigin)) return "cross-site"
  const initiator = new URL(initiatorOrigin)
  if (initiator.origin === target.origin) return "same-origin"
  const sameSite = initiator.protocol === target.protocol && getSite(initiator) === getSite(target)
  return sameSite ? "same-site" : "cross-site"
}

/** The last two labels of a host: enough of the public suffix list for names that end in `.example`. */
function getSite({ hostname }: URL): string {
  return /^[\d.]+$|:/.test(hostname) ? hostname : hostname.split(".").slice(-2).join(".")
}
