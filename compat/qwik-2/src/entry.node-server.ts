import { createServer } from "node:http"
import { checkConfigAtStartup } from "@latchkey/qwik"
import { createQwikRouter } from "@qwik.dev/router/middleware/node"
import { config } from "./auth.config.ts"
import render from "./entry.ssr.tsx"

// A server in production that could sign nobody in ends here.
checkConfigAtStartup(config)

const { AUTH_URL, HOST = "127.0.0.1", PORT = "3000" } = process.env

const { router, notFound, staticFile } = createQwikRouter({
  render,
  // Qwik compares the origin of forms with this one, which it cannot determine behind a proxy.
  ...(AUTH_URL ? { origin: new URL(AUTH_URL).origin } : {}),
})

createServer((request, response) => {
  const find = () => void router(request, response, miss)
  const miss = () => void notFound(request, response, () => response.end())
  void staticFile(request, response, find)
}).listen(Number(PORT), HOST, () => {
  console.log(`http://${HOST}:${PORT}`)
})
