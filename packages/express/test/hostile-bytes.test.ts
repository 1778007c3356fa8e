/** Security case 136: any bytes get a response, and cause little work. */
import { connect } from "node:net"
import { InvalidRequest } from "@latchkey/core/errors"
import { getSession, MiddlewareAuth } from "@latchkey/express"
import { describe, expect, test } from "vitest"
import {
  expectLittleWork,
  expectResponses,
  type HostileRequest,
} from "../../../scripts/test/support/any-request.ts"
import { createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { serve } from "./support/http.ts"

/** Sends the bytes as they are. Node.js itself refuses what is not HTTP. */
async function sendBytes(port: number, request: HostileRequest): Promise<string> {
  const { method, target, headers, body } = request
  const socket = connect(port, "127.0.0.1")
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const length = `content-length: ${body.length}`
  const head = [`${method} ${target} HTTP/1.1`, "host: app.example", "connection: close", length]
  socket.write(Buffer.from([...head, ...lines, "", body].join("\r\n"), "latin1"))
  const chunks: Buffer[] = []
  return new Promise((resolve) => {
    socket.on("data", (chunk) => chunks.push(chunk))
    // The server may close the connection before it has read everything.
    socket.on("error", () => undefined)
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")))
  })
}

describe.each(expressVersions)("Express $major", ({ express }) => {
  test("any request gets a response, and 64 KiB cause at most 50 ms of work", async () => {
    const config = createConfig()
    const app = express()
    const failures: unknown[] = []
    app.use("/auth", MiddlewareAuth(config))
    app.get("/", (req, res, next) => {
      getSession(req, config).then((session) => res.json(session), next)
    })
    app.use((error: unknown, _req: unknown, res: { end(): void }, _next: unknown) => {
      // `getSession` says so of a request whose headers name no host.
      if (!(error instanceof InvalidRequest)) failures.push(error)
      res.end()
    })
    const { port } = new URL(await serve(app))
    const send = (request: HostileRequest) => sendBytes(Number(port), request)
    await expectResponses(async (request) => {
      expect(await send(request)).toMatch(/^HTTP\/1\.1 \d{3}/)
    }, 300)
    await expectLittleWork(async (request) => void (await send(request)), 100)
    expect(failures).toEqual([])
  })
})
