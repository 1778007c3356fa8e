/** The server of the example, which also lets a provider send logout tokens: docs/logout.md. */
import { createServer } from "node:http"
import { createQwikRouter } from "@qwik.dev/router/middleware/node"
import render from "./entry.ssr.tsx"

const { AUTH_URL, ORIGIN, HOST = "127.0.0.1", PORT = "3000" } = process.env

const { router, notFound, staticFile } = createQwikRouter({
  render,
  // Qwik compares the origin of forms with this one, which it cannot determine behind a proxy.
  ...(AUTH_URL ? { origin: new URL(AUTH_URL).origin } : {}),
})

createServer((request, response) => {
  // The provider's server sends no `Origin`, which Qwik 2 requires of forms.
  if (request.method === "POST" && request.url?.startsWith("/auth/logout/"))
    request.headers.origin = ORIGIN
  const find = () => void router(request, response, miss)
  const miss = () => void notFound(request, response, () => response.end())
  void staticFile(request, response, find)
}).listen(Number(PORT), HOST, () => {
  console.log(`http://${HOST}:${PORT}`)
})
