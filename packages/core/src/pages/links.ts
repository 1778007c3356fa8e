/** Which URLs a page may lead to. */

/** Whether a URL is a path on this origin, also after a browser has dropped tabs and line breaks. */
export function isLocalPath(url: string): boolean {
  return /^\/(?![/\\])[^\s\p{Cc}]*$/u.test(url)
}

/** The URL if it leads to the web or is a path on this origin, else `/`: no `javascript:` in a link. */
export function sanitizeUrl(url: string): string {
  return isLocalPath(url) || parseWebUrl(url) ? url : "/"
}

/** Host and port of a web URL. */
export function parseHost(url: string): string | undefined {
  return parseWebUrl(url)?.host
}

function parseWebUrl(url: string): URL | undefined {
  if (!URL.canParse(url)) return undefined
  const parsed = new URL(url)
  return parsed.protocol === "https:" || parsed.protocol === "http:" ? parsed : undefined
}
