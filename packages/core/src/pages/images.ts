/** Which images a page may show: an image is a request to whoever serves it. */
import { isLocalPath } from "./links.ts"

/** An image, and the foreign origin that serves it. */
export interface ImageSource {
  readonly src: string
  readonly origin?: string
}

const dataImagePattern = /^data:image\/[a-z0-9.+-]+(?:;[a-z0-9=-]+)*,[\w.~!$&'()*+,;=:@/?%-]+$/i
// Only plain hosts: a host may hold a semicolon, which would end a directive of the policy.
const plainOriginPattern = /^https:\/\/[a-z0-9.-]+(?::\d+)?$/

/** The image, if showing it asks nobody else: a data URL or a path on this origin. */
export function parseLocalImage(url: string | undefined): ImageSource | undefined {
  if (typeof url !== "string") return undefined
  return isLocalPath(url) || dataImagePattern.test(url) ? { src: url } : undefined
}

/** The image, if it is local, or an https URL: for what only the developer can write. */
export function parseThemeImage(url: string | undefined): ImageSource | undefined {
  const local = parseLocalImage(url)
  if (local || typeof url !== "string" || !URL.canParse(url)) return local
  const { origin, href } = new URL(url)
  return plainOriginPattern.test(origin) ? { src: href, origin } : undefined
}
