/** The server of the documentation, which lets a provider send logout tokens: docs/logout.md. */
import { createServer } from "node:http"
import { env } from "node:process"
import { handler } from "./build/handler.js"

createServer((request, response) => {
  // The provider's server sends no `Origin`, which SvelteKit requires of forms.
  if (request.method === "POST" && request.url?.startsWith("/auth/logout/"))
    request.headers.origin = env["ORIGIN"]
  handler(request, response)
}).listen(Number(env["PORT"]), env["HOST"])
