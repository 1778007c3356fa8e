import type { SessionContext } from "../http/action-request.ts"
import { deleteChunkedCookie } from "../http/cookie-chunks.ts"

/** Deletes the session cookie with all its chunks, including those of a strategy that was configured before. */
export function deleteSessionCookie({ jar, cookies, cookieDefinitions }: SessionContext): void {
  deleteChunkedCookie(jar, cookies, cookieDefinitions.sessionToken)
}
