export function createJsonResponse(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  const defaultHeaders = { "content-type": "application/json", "cache-control": "no-store" }
  return new Response(JSON.stringify(body), { status, headers: { ...defaultHeaders, ...headers } })
}
