/** Loaded before an example: replies for GitHub, and lets the system choose the port of the server. */
import { Server } from "node:net"

const replies: Readonly<Record<string, unknown>> = {
  "https://github.com/login/oauth/access_token": {
    access_token: "token-of-the-readme",
    token_type: "bearer",
    scope: "read:user,user:email",
  },
  "https://api.github.com/user": { id: 1815, login: "ada", name: "Ada Lovelace", email: null },
  "https://api.github.com/user/emails": [],
}

globalThis.fetch = async (input, init) => {
  const { url, headers } = new Request(input, init)
  const reply = replies[url]
  if (reply === undefined) throw new TypeError(`The stand-in for GitHub knows no ${url}`)
  const isUnauthorized =
    url.startsWith("https://api.github.com/") &&
    headers.get("authorization")?.toLowerCase() !== "bearer token-of-the-readme"
  return isUnauthorized ? new Response(null, { status: 401 }) : Response.json(reply)
}

const listen = Server.prototype.listen
Server.prototype.listen = function listenOnFreePort(
  this: Server,
  _port: unknown,
  callback: unknown,
) {
  this.once("listening", () => {
    const address = this.address()
    process.send?.(typeof address === "object" ? address?.port : undefined)
  })
  return listen.call(this, 0, callback as () => void)
} as typeof listen
