/** Relation between the origin that starts a request and its target (`Sec-Fetch-Site`). */
export type SecFetchSite = "none" | "same-origin" | "same-site" | "cross-site"

/** Compares two origins as browsers do; `undefined` means that the user entered the address. */
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

/** Returns the last two labels of a host, which suffice for names that end in `.example`. */
function getSite({ hostname }: URL): string {
  return /^[\d.]+$|:/.test(hostname) ? hostname : hostname.split(".").slice(-2).join(".")
}
