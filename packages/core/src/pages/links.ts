/** Checks the URLs of links and forms. */

/** Whether a URL is a path on this origin, even after a browser has removed tabs and line breaks. */
export function isLocalPath(url: string): boolean {
  return /^\/(?![/\\])[^\s\p{Cc}]*$/u.test(url)
}

/** Returns the URL if it is an http(s) URL or a path on this origin, and `/` otherwise, such as for `javascript:`. */
export function sanitizeUrl(url: string): string {
  return isLocalPath(url) || parseWebUrl(url) ? url : "/"
}

/** Returns host and port of an http(s) URL. */
export function parseHost(url: string): string | undefined {
  return parseWebUrl(url)?.host
}

function parseWebUrl(url: string): URL | undefined {
  if (!URL.canParse(url)) return undefined
  const parsed = new URL(url)
  return parsed.protocol === "https:" || parsed.protocol === "http:" ? parsed : undefined
}
