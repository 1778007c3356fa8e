/** Checks the URLs of links, forms and images: to show an image is to send a request to its server. */

/** Parses an http(s) URL. Returns undefined for anything else, such as `localhost:3000`. */
export function parseWebUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === "https:" || url.protocol === "http:" ? url : undefined
}

/** Whether a URL is a path on this origin, even after a browser has removed tabs and line breaks. */
function isLocalPath(url: string): boolean {
  return /^\/(?![/\\])[^\s\p{Cc}]*$/u.test(url)
}

/** Returns the URL if it is an http(s) URL or a path on this origin, and `/` otherwise, such as for `javascript:`. */
export function sanitizeUrl(url: string): string {
  return isLocalPath(url) || parseWebUrl(url) ? url : "/"
}

/** An image, and its origin if that is another one. */
export interface ImageSource {
  readonly src: string
  readonly origin?: string
}

const dataImagePattern = /^data:image\/[a-z0-9.+-]+(?:;[a-z0-9=-]+)*,[\w.~!$&'()*+,;=:@/?%-]+$/i
// Only plain hosts: others may contain a semicolon, which would end a directive of the policy.
const plainOriginPattern = /^https:\/\/[a-z0-9.-]+(?::\d+)?$/

/** Returns the image if it needs no other server: a data URL or a path on this origin. */
export function parseLocalImage(url: string | undefined): ImageSource | undefined {
  if (typeof url !== "string") return undefined
  return isLocalPath(url) || dataImagePattern.test(url) ? { src: url } : undefined
}

/** Returns the image if it is local or an https URL. Only for URLs from the configuration. */
export function parseThemeImage(url: string | undefined): ImageSource | undefined {
  const local = parseLocalImage(url)
  if (local || typeof url !== "string" || !URL.canParse(url)) return local
  const { origin, href } = new URL(url)
  return plainOriginPattern.test(origin) ? { src: href, origin } : undefined
}
