import type { Request as ExpressRequest, Response } from "express"
import type { AppContext } from "./app-context.ts"

/** Returns the token for forms that post to Latchkey. Sets its cookie if the browser has none. */
export async function fetchCsrfToken(
  { auth, origin }: AppContext,
  req: ExpressRequest,
  res: Response,
): Promise<string> {
  const { cookie = "" } = req.headers
  const request = new Request(`${origin}${auth.basePath}/csrf`, { headers: { cookie } })
  const response = await auth.handle(request)
  for (const cookie of response.headers.getSetCookie()) res.append("Set-Cookie", cookie)
  // The format of this endpoint.
  const body = (await response.json()) as { csrfToken: string }
  return body.csrfToken
}
