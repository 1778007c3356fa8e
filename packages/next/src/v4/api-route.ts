/** An API route of the Pages Router, whose requests and responses are those of Node.js. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { getNodeSetCookieLines, mergeSetCookies } from "@latchkey/core/integration"
import type { NextRequest } from "next/server.js"
import { toHeaders } from "../contexts.ts"
import type { NextAuthResult } from "../next-auth.ts"

/** A request of Node.js whose body Next.js has parsed, unless the route turned that off. */
export interface ApiRequest extends IncomingMessage {
  readonly body?: unknown
}

export async function handleApiRoute(
  { handlers }: NextAuthResult,
  req: ApiRequest,
  res: ServerResponse,
): Promise<void> {
  const { method = "GET", url = "/" } = req
  const hasBody = method !== "GET" && method !== "HEAD"
  // The handler takes only path and query of the URL.
  const request = new Request(`http://localhost${url}`, {
    method,
    headers: toHeaders(req),
    ...(hasBody && { body: restoreBody(req), duplex: "half" }),
  })
  const response = await handlers.POST(request as NextRequest)
  res.statusCode = response.status
  for (const [name, value] of response.headers)
    if (name !== "set-cookie") res.setHeader(name, value)
  const lines = response.headers.getSetCookie()
  if (lines.length > 0)
    res.setHeader("set-cookie", mergeSetCookies(getNodeSetCookieLines(res), lines))
  res.end(Buffer.from(await response.arrayBuffer()))
}

/** Restores the body from what the parser of Next.js made of it: an object for JSON and forms, otherwise text. */
function restoreBody(req: ApiRequest): BodyInit {
  const { body, headers } = req
  // The route turned the parser off. Node.js takes every iterable of bytes as a body.
  if (body === undefined) return req as unknown as BodyInit
  if (typeof body !== "object" || body === null) return String(body ?? "")
  if (headers["content-type"]?.includes("json")) return JSON.stringify(body)
  const fields = Object.entries(body as Readonly<Record<string, string | string[]>>)
  const entries = fields.flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
  return new URLSearchParams(entries).toString()
}
