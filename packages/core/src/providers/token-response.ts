import { parseJsonObject } from "../objects.ts"

/**
 * Adds the `token_type` that a provider omits, although RFC 6749 section 5.1 requires it, and removes members without a
 * value.
 */
export async function completeTokenResponse(response: Response): Promise<Response | undefined> {
  const body = parseJsonObject(await response.text())
  if (!response.ok || body === undefined) return undefined
  const members = Object.entries(body).filter(([, value]) => value !== null)
  return Response.json({ token_type: "bearer", ...Object.fromEntries(members) })
}
