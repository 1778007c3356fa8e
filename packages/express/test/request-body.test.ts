import { connect, type Socket } from "node:net"
import { CredentialsSignin, MiddlewareAuth } from "@latchkey/express"
import credentials from "@latchkey/express/providers/credentials"
import { assertRefused, createTestBrowser, type TestBrowser } from "@latchkey/testing"
import type { RequestHandler } from "express"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { measureWork } from "../../../scripts/test/support/any-request.ts"
import { alice, createConfig, password } from "./support/config.ts"
import { bodyParsers, expressVersions } from "./support/express.ts"
import { getCookieHeader, serve } from "./support/http.ts"

const formType = "application/x-www-form-urlencoded"
const jsonType = "application/json"
const callbackPath = "/auth/callback/credentials"

const requestHead = `POST ${callbackPath} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${formType}\r\n`
const nextRequest = "GET /auth/session HTTP/1.1\r\nHost: localhost\r\n\r\n"

/** Opens a raw connection. */
function openSocket(origin: string): Socket & { received(): string } {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1")
  onTestFinished(() => void socket.destroy())
  let text = ""
  socket.on("data", (data) => {
    text += data
  })
  return Object.assign(socket, { received: () => text })
}

/** Expects a redirect to an error inside the application, whose port differs between tests. */
function expectRefused(response: Response): void {
  const { origin } = new URL(response.headers.get("location") ?? "", "http://127.0.0.1")
  assertRefused(response, { origin })
  expect(new URL(origin).hostname).toBe("127.0.0.1")
}

for (const { major, express } of expressVersions) {
  /** Opens a browser with an application that records the calls of `authorize`. */
  async function createApplication(...before: RequestHandler[]) {
    const receivedFields: Record<string, unknown>[] = []
    const requests: Request[] = []
    const people = credentials({
      authorize(fields, request) {
        requests.push(request)
        const { csrfToken: _, callbackUrl: __, ...rest } = fields as Record<string, unknown>
        receivedFields.push(rest)
        throw new CredentialsSignin()
      },
    })
    const app = express()
    for (const handler of before) app.use(handler)
    app.use("/auth", MiddlewareAuth(createConfig({ providers: [people] })))
    return { person: createTestBrowser(await serve(app)), typed: receivedFields, requests }
  }

  const post = (user: TestBrowser, type: string | undefined, body: string) =>
    user.fetch(callbackPath, {
      method: "POST",
      headers: type === undefined ? {} : { "content-type": type },
      body,
    })

  describe.each(Object.entries(bodyParsers))(`Express ${major}, behind %s`, (_, parsersOf) => {
    const createParsedApplication = () => createApplication(...parsersOf(express))

    test("passes on forms byte for byte", async () => {
      const { person: user, typed } = await createParsedApplication()
      const csrfToken = await user.getCsrfToken()
      const body = new URLSearchParams({ csrfToken, ...alice, empty: "", plus: "a+b c" })
      await post(user, formType, body.toString())
      await post(user, `${formType.toUpperCase()}; Charset=UTF-8`, body.toString())
      expect(typed).toEqual(Array(2).fill({ ...alice, empty: "", plus: "a+b c" }))
    })

    test("uses the last of several fields with the same name", async () => {
      const { person: user, typed } = await createParsedApplication()
      const csrfToken = await user.getCsrfToken()
      await post(user, formType, `csrfToken=${csrfToken}&a=1&a=2&b=x`)
      expect(typed).toEqual([{ a: "2", b: "x" }])
    })

    test("passes on names with brackets", async () => {
      const { person: user, typed } = await createParsedApplication()
      const csrfToken = await user.getCsrfToken()
      await post(user, formType, `csrfToken=${csrfToken}&b[c]=3&b[d][e]=4`)
      expect(typed).toEqual([{ "b[c]": "3", "b[d][e]": "4" }])
    })

    test("passes on JSON", async () => {
      const { person: user, typed } = await createParsedApplication()
      const csrfToken = await user.getCsrfToken()
      await post(user, jsonType, JSON.stringify({ csrfToken, ...alice }))
      await post(user, `${jsonType}; charset=utf-8`, JSON.stringify({ csrfToken, password }))
      expect(typed).toEqual([alice, { password }])
    })

    test("reads no credentials from other content types", async () => {
      const { person: user, typed } = await createParsedApplication()
      const csrfToken = await user.getCsrfToken()
      const fields = new URLSearchParams({ csrfToken, ...alice }).toString()
      expectRefused(await post(user, "text/plain", fields))
      expectRefused(await post(user, "text/plain", JSON.stringify({ csrfToken })))
      expect(typed).toEqual([])
    })

    test("reads credentials from a complete multipart form, and from no other", async () => {
      const { person: user, typed } = await createParsedApplication()
      const csrfToken = await user.getCsrfToken()
      const boundary = "----part-of-a-form"
      const type = `multipart/form-data; boundary=${boundary}`
      const part = (name: string, value: string) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      const fields = part("csrfToken", csrfToken) + part("password", password)
      const whole = `${fields}--${boundary}--\r\n`
      expect((await post(user, type, fields)).status).toBe(400)
      expect((await post(user, "multipart/form-data", whole)).status).toBe(400)
      expect(typed).toEqual([])
      await post(user, type, whole)
      expect(typed).toEqual([{ password }])
    })

    test("refuses an empty body", async () => {
      const { person: user, typed } = await createParsedApplication()
      await user.getCsrfToken()
      expectRefused(await post(user, formType, ""))
      expectRefused(await user.fetch(callbackPath, { method: "POST" }))
      expect((await post(user, jsonType, "")).status).toBeLessThan(500)
      expect(typed).toEqual([])
    })

    test.each(["{", "null", "[]", '"text"', "5", "[".repeat(5_000)])(
      "refuses the JSON body %.10s with 4xx",
      async (body) => {
        const { person: user, typed } = await createParsedApplication()
        await user.getCsrfToken()
        const { status } = await post(user, jsonType, body)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
        expect(typed).toEqual([])
      },
    )
  })

  describe(`Express ${major}`, () => {
    test("a body of another content type is refused, even if a parser accepts it", async () => {
      for (const parser of [express.json({ type: "*/*" }), express.urlencoded({ type: "*/*" })]) {
        const { person: user, typed } = await createApplication(parser)
        const csrfToken = await user.getCsrfToken()
        expectRefused(await post(user, "text/plain", JSON.stringify({ csrfToken })))
        expectRefused(await post(user, "text/plain", `csrfToken=${csrfToken}`))
        expect(typed).toEqual([])
      }
    })

    test("reads a body that a middleware decodes but does not read", async () => {
      const { person: user, typed } = await createApplication((req, _res, next) => {
        req.setEncoding("utf8")
        next()
      })
      const csrfToken = await user.getCsrfToken()
      await post(user, formType, new URLSearchParams({ csrfToken, ...alice }).toString())
      expect(typed).toEqual([alice])
    })

    test("reads a compressed body that a parser decompressed", async () => {
      const {
        person: user,
        typed,
        requests,
      } = await createApplication(express.urlencoded({ extended: false }))
      const csrfToken = await user.getCsrfToken()
      const fields = new URLSearchParams({ csrfToken, ...alice }).toString()
      const stream = new Blob([fields]).stream().pipeThrough(new CompressionStream("gzip"))
      const cookie = getCookieHeader(user)
      await fetch(user.origin + callbackPath, {
        method: "POST",
        redirect: "manual",
        headers: { "content-type": formType, "content-encoding": "gzip", cookie },
        body: await new Response(stream).arrayBuffer(),
      })
      expect(typed).toEqual([alice])
      expect(requests[0]?.headers.get("content-encoding")).toBeNull()
    })

    test("refuses a body that cannot be passed on", async () => {
      const cycle: Record<string, unknown> = {}
      cycle["self"] = cycle
      const { person: user, typed } = await createApplication(express.json(), (req, _res, next) => {
        if (req.body) req.body = cycle
        next()
      })
      expect((await post(user, jsonType, "{}")).status).toBe(500)
      expect(typed).toEqual([])
    })

    test("refuses a body over 64 KiB with 413, parsed or not", async () => {
      const tooLong = `csrfToken=x&a=${"a".repeat(66_000)}`
      for (const before of [
        [],
        [express.urlencoded({ extended: true })],
        [express.text({ type: "*/*" })],
      ]) {
        const { person: user } = await createApplication(...before)
        expect((await post(user, formType, tooLong)).status).toBe(413)
        expect((await user.fetch("/auth/csrf")).status).toBe(200)
      }
    })

    test("responds with 413 before the body has ended, and keeps the connection usable", async () => {
      const { person: user } = await createApplication()
      const socket = openSocket(user.origin)
      socket.write(`${requestHead}Transfer-Encoding: chunked\r\n\r\n`)
      const chunk = `4000\r\n${"a".repeat(0x4000)}\r\n`
      const sending = setInterval(() => socket.write(chunk), 2)
      await vi.waitFor(() => expect(socket.received()).toContain("HTTP/1.1 413"), 10_000)
      clearInterval(sending)
      socket.write(`${chunk.repeat(50)}0\r\n\r\n${nextRequest}`)
      await vi.waitFor(() => expect(socket.received()).toContain("HTTP/1.1 200"), 10_000)
    })

    test("keeps the connection usable after a body whose announced length is too long", async () => {
      const { person: user } = await createApplication()
      const socket = openSocket(user.origin)
      socket.write(`${requestHead}Content-Length: 300000\r\n\r\n${"a".repeat(100_000)}`)
      await vi.waitFor(() => expect(socket.received()).toContain("HTTP/1.1 413"), 10_000)
      socket.write(`${"a".repeat(200_000)}${nextRequest}`)
      await vi.waitFor(() => expect(socket.received()).toContain("HTTP/1.1 200"), 10_000)
    })

    test("reads a body that arrives in parts, after `100 Continue`", async () => {
      const { person: user, typed } = await createApplication()
      const fields = new URLSearchParams({ csrfToken: await user.getCsrfToken(), ...alice })
      const body = fields.toString()
      const socket = openSocket(user.origin)
      const length = `Content-Length: ${body.length}\r\nCookie: ${getCookieHeader(user)}\r\n`
      socket.write(`${requestHead}${length}Expect: 100-continue\r\n\r\n`)
      await vi.waitFor(() => expect(socket.received()).toContain("HTTP/1.1 100"), 10_000)
      for (const part of [body.slice(0, 50), body.slice(50)]) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        socket.write(part)
      }
      await vi.waitFor(() => expect(typed).toEqual([alice]), 10_000)
    })

    test("reads a body of a request that a middleware paused", async () => {
      const { person: user, typed } = await createApplication((req, _res, next) => {
        req.pause()
        next()
      })
      const csrfToken = await user.getCsrfToken()
      await post(user, formType, new URLSearchParams({ csrfToken, ...alice }).toString())
      expect(typed).toEqual([alice])
    })

    test("passes the headers to `authorize`, without those of the body that was sent", async () => {
      const { person: user, requests } = await createApplication()
      const fields = { csrfToken: await user.getCsrfToken(), ...alice }
      const headers = { "content-type": formType, "x-tag": "caf\u00e9" }
      const body = new URLSearchParams(fields).toString()
      await user.fetch(callbackPath, { method: "POST", headers, body })
      const [{ headers: received, signal } = new Request(user.origin)] = requests
      expect(received.get("x-tag")).toBe("caf\u00e9")
      expect(received.get("host")).toBe(new URL(user.origin).host)
      expect(received.get("content-type")).toBe("application/json")
      expect(received.get("content-length")).toBeNull()
      expect(signal.aborted).toBe(false)
      expect(await requests[0]?.json()).toEqual(fields)
    })

    test("responds with 400 to a body that does not arrive in time", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
      onTestFinished(() => void vi.useRealTimers())
      const { person: user, typed } = await createApplication()
      const socket = openSocket(user.origin)
      socket.write(`${requestHead}Content-Length: 500\r\n\r\ncsrfToken=half`)
      await vi.waitFor(() => {
        vi.advanceTimersByTime(10_000)
        expect(socket.received()).toContain("HTTP/1.1 400")
      }, 10_000)
      expect(typed).toEqual([])
    })

    test("does not accept an incomplete body", async () => {
      const { person: user, typed } = await createApplication()
      const csrfToken = await user.getCsrfToken()
      const socket = openSocket(user.origin)
      const length = `Content-Length: 500\r\nCookie: ${getCookieHeader(user)}\r\n\r\n`
      socket.write(`${requestHead}${length}csrfToken=${csrfToken}&password=half`)
      await new Promise((resolve) => setTimeout(resolve, 50))
      socket.destroy()
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect((await user.fetch("/auth/session")).status).toBe(200)
      expect(typed).toEqual([])
    })

    test.each([jsonType, formType])("refuses parsed fields with many levels: %s", async (type) => {
      const { person: user } = await createApplication(express.json({ type: "*/*" }))
      const body = `{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`
      expect((await post(user, type, body)).status).toBe(400)
    })

    test.each([
      ["nested objects", `${`{"a":1,"b":`.repeat(1500)}1${"}".repeat(1500)}`],
      ["a long name of a long list", `{"${"k".repeat(30_000)}":[${"0,".repeat(20_000)}0]}`],
    ])("a form with %s from a parser of JSON is refused without much work", async (_, body) => {
      const { person: user } = await createApplication(express.json({ type: "*/*" }))
      const append = vi.spyOn(URLSearchParams.prototype, "append")
      onTestFinished(() => append.mockRestore())
      expect((await post(user, formType, body)).status).toBe(413)
      const written = append.mock.calls.map(([name]) => name.length)
      expect(written.reduce((sum, length) => sum + length, 0)).toBeLessThan(200_000)
    })

    test("reads many fields with bounded work", async () => {
      const { person: user } = await createApplication()
      const work = await measureWork(async () => {
        expect((await post(user, formType, "a&".repeat(30_000))).status).toBe(302)
      })
      expect(work).toBeLessThan(1000)
    })
  })
}
