/** Whether a request to the application's own code was made by one of its pages. */
import { MissingCSRF } from "../errors.ts"
import { isSameOrigin } from "../http/csrf.ts"

/**
 * Refuses a request that the browser does not call the application's own: for server functions and form actions of
 * frameworks that do not look. Every browser of today says where a POST request comes from.
 *
 * @param origin scheme, host and port, as the browser sees them
 * @throws MissingCSRF
 */
export function assertSameOrigin(headers: Headers, origin: string): void {
  if (isSameOrigin(headers, origin)) return
  throw new MissingCSRF({
    expected: `a request from ${origin}`,
    received: `Origin: ${headers.get("origin")}, Sec-Fetch-Site: ${headers.get("sec-fetch-site")}`,
    hint: "Behind a proxy, set AUTH_URL, or AUTH_TRUST_HOST where the proxy sets X-Forwarded-Host.",
  })
}
