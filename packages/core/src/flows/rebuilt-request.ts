/** A request for application code to look into. */
import type { Exchange } from "../http/exchange.ts"

/** The request with its body as JSON, since the original one has been read. */
export function rebuiltRequest(
  { url, headers }: Pick<Exchange, "url" | "headers">,
  body: Readonly<Record<string, unknown>>,
): Request {
  const own = new Headers(headers)
  own.delete("content-length")
  own.set("content-type", "application/json")
  return new Request(url, { method: "POST", headers: own, body: JSON.stringify(body) })
}
