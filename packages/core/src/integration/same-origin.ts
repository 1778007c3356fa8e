import { MissingCSRF } from "../errors.ts"
import { isSameOrigin } from "../http/fetch-metadata.ts"
import type { HeaderReader } from "../http/incoming-request.ts"

/**
 * Refuses a request unless the browser says that a page of the application made it. For server functions and form
 * actions of frameworks that do not check this themselves. All current browsers send the origin of POST requests.
 *
 * @param origin scheme, host and port as the browser sees them
 * @throws MissingCSRF
 */
export function assertSameOrigin(headers: HeaderReader, origin: string): void {
  if (isSameOrigin(headers, origin)) return
  throw new MissingCSRF({
    expected: `a request from ${origin}`,
    received: `Origin: ${headers.get("origin")}, Sec-Fetch-Site: ${headers.get("sec-fetch-site")}`,
    hint: "Behind a proxy, set AUTH_URL, or AUTH_TRUST_HOST if the proxy sets X-Forwarded-Host.",
  })
}
