/** HTTP/2, as far as Express itself works with Node's compatibility API: with the prototypes of its objects. */
import { once } from "node:events"
import {
  connect,
  createServer,
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2"
import type { AddressInfo } from "node:net"
import { getSession, MiddlewareAuth } from "@latchkey/express"
import { describe, expect, onTestFinished, test } from "vitest"
import { createConfig, password } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"

interface Exchange {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

describe.each(expressVersions)("Express $major over HTTP/2", ({ express }) => {
  /** Serves an application, and returns a function that sends requests in one connection. */
  async function openConnection() {
    const config = createConfig()
    const app = express()
    // Express sets them as the prototypes of each request and response.
    Object.setPrototypeOf(app.request, Http2ServerRequest.prototype)
    Object.setPrototypeOf(app.response, Http2ServerResponse.prototype)
    app.use("/auth", MiddlewareAuth(config))
    app.get("/page", (req, res, next) => {
      getSession(req, config).then((session) => void res.end(JSON.stringify(session)), next)
    })
    const server = createServer(app as never).listen(0, "127.0.0.1")
    await once(server, "listening")
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    onTestFinished(() => {
      session.destroy()
      server.close()
    })
    return async (headers: OutgoingHttpHeaders, body?: string): Promise<Exchange> => {
      const stream = session.request({ ":authority": "app.example:8443", ...headers })
      stream.end(body)
      const [received] = (await once(stream, "response")) as [IncomingHttpHeaders]
      return { headers: received, text: Buffer.concat(await stream.toArray()).toString() }
    }
  }

  test("has the origin that `:authority` names, whatever `Host` says", async () => {
    const send = await openConnection()
    const { text } = await send({ ":path": "/auth/providers", host: "other.example" })
    expect(JSON.parse(text).credentials.signinUrl).toBe(
      "http://app.example:8443/auth/signin/credentials",
    )
  })

  test("signs in, and knows the session", async () => {
    const send = await openConnection()
    const csrf = await send({ ":path": "/auth/csrf" })
    const { csrfToken } = JSON.parse(csrf.text)
    const cookies = ({ headers }: Exchange) =>
      headers["set-cookie"]?.map((line) => line.split(";", 1)[0]).join("; ")
    const type = "application/x-www-form-urlencoded"
    const signedIn = await send(
      {
        ":method": "POST",
        ":path": "/auth/callback/credentials",
        "content-type": type,
        cookie: cookies(csrf),
      },
      new URLSearchParams({ csrfToken, user: "alice", password }).toString(),
    )
    expect(signedIn.headers[":status"]).toBe(302)
    const page = await send({ ":path": "/page", cookie: cookies(signedIn) })
    expect(JSON.parse(page.text).user.name).toBe("alice")
  })
})
