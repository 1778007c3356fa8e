/** A JSON response. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const plain = { "content-type": "application/json", "cache-control": "no-store" }
  return new Response(JSON.stringify(body), { status, headers: { ...plain, ...headers } })
}
