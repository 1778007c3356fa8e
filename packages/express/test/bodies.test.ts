import { connect, type Socket } from "node:net"
import { CredentialsSignin, MiddlewareAuth } from "@latchkey/express"
import credentials from "@latchkey/express/providers/credentials"
import { assertRefused, type Browser, browser } from "@latchkey/testing"
import type { RequestHandler } from "express"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { alice, configOf, password } from "./support/config.ts"
import { majors, parsers } from "./support/express.ts"
import { cookiesOf, serve } from "./support/http.ts"

const form = "application/x-www-form-urlencoded"
const json = "application/json"
const callback = "/auth/callback/credentials"

const head = `POST ${callback} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${form}\r\n`
const next = "GET /auth/session HTTP/1.1\r\nHost: localhost\r\n\r\n"

/** A connection on which what is written goes out as it is. */
function wire(origin: string): Socket & { received(): string } {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1")
  onTestFinished(() => void socket.destroy())
  let text = ""
  socket.on("data", (data) => {
    text += data
  })
  return Object.assign(socket, { received: () => text })
}

/** Refused by redirect inside the application, whose port differs from test to test. */
function refused(answer: Response): void {
  const { origin } = new URL(answer.headers.get("location") ?? "", "http://127.0.0.1")
  assertRefused(answer, { origin })
  expect(new URL(origin).hostname).toBe("127.0.0.1")
}

for (const { major, express } of majors) {
  /** A browser at an application that notes what reached `authorize`. */
  async function application(...before: RequestHandler[]) {
    const typed: Record<string, unknown>[] = []
    const requests: Request[] = []
    const people = credentials({
      authorize(fields, request) {
        requests.push(request)
        const { csrfToken: _, callbackUrl: __, ...rest } = fields as Record<string, unknown>
        typed.push(rest)
        throw new CredentialsSignin()
      },
    })
    const app = express()
    for (const handler of before) app.use(handler)
    app.use("/auth", MiddlewareAuth(configOf({ providers: [people] })))
    return { person: browser(await serve(app)), typed, requests }
  }

  const post = (person: Browser, type: string | undefined, body: string) =>
    person.fetch(callback, {
      method: "POST",
      headers: type === undefined ? {} : { "content-type": type },
      body,
    })

  describe.each(Object.entries(parsers))(`Express ${major}, behind %s`, (_, parsersOf) => {
    const parsed = () => application(...parsersOf(express))

    test("hands forms on byte for byte", async () => {
      const { person, typed } = await parsed()
      const csrfToken = await person.csrf()
      const body = new URLSearchParams({ csrfToken, ...alice, empty: "", plus: "a+b c" })
      await post(person, form, body.toString())
      await post(person, `${form.toUpperCase()}; Charset=UTF-8`, body.toString())
      expect(typed).toEqual(Array(2).fill({ ...alice, empty: "", plus: "a+b c" }))
    })

    test("takes the last of fields with one name", async () => {
      const { person, typed } = await parsed()
      const csrfToken = await person.csrf()
      await post(person, form, `csrfToken=${csrfToken}&a=1&a=2&b=x`)
      expect(typed).toEqual([{ a: "2", b: "x" }])
    })

    test("hands names with brackets on", async () => {
      const { person, typed } = await parsed()
      const csrfToken = await person.csrf()
      await post(person, form, `csrfToken=${csrfToken}&b[c]=3&b[d][e]=4`)
      expect(typed).toEqual([{ "b[c]": "3", "b[d][e]": "4" }])
    })

    test("hands JSON on", async () => {
      const { person, typed } = await parsed()
      const csrfToken = await person.csrf()
      await post(person, json, JSON.stringify({ csrfToken, ...alice }))
      await post(person, `${json}; charset=utf-8`, JSON.stringify({ csrfToken, password }))
      expect(typed).toEqual([alice, { password }])
    })

    test("32 takes no credentials from other content types", async () => {
      const { person, typed } = await parsed()
      const csrfToken = await person.csrf()
      const fields = new URLSearchParams({ csrfToken, ...alice }).toString()
      refused(await post(person, "text/plain", fields))
      refused(await post(person, "text/plain", JSON.stringify({ csrfToken })))
      expect(typed).toEqual([])
    })

    test("32 takes credentials from a whole multipart form, and from no other", async () => {
      const { person, typed } = await parsed()
      const csrfToken = await person.csrf()
      const boundary = "----part-of-a-form"
      const type = `multipart/form-data; boundary=${boundary}`
      const part = (name: string, value: string) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      const fields = part("csrfToken", csrfToken) + part("password", password)
      const whole = `${fields}--${boundary}--\r\n`
      expect((await post(person, type, fields)).status).toBe(400)
      expect((await post(person, "multipart/form-data", whole)).status).toBe(400)
      expect(typed).toEqual([])
      await post(person, type, whole)
      expect(typed).toEqual([{ password }])
    })

    test("refuses an empty body", async () => {
      const { person, typed } = await parsed()
      await person.csrf()
      refused(await post(person, form, ""))
      refused(await person.fetch(callback, { method: "POST" }))
      expect((await post(person, json, "")).status).toBeLessThan(500)
      expect(typed).toEqual([])
    })

    test.each(["{", "null", "[]", '"text"', "5", "[".repeat(5_000)])(
      "106 refuses the JSON body %.10s with 4xx",
      async (body) => {
        const { person, typed } = await parsed()
        await person.csrf()
        const { status } = await post(person, json, body)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
        expect(typed).toEqual([])
      },
    )
  })

  describe(`Express ${major}`, () => {
    test("32 a body that was parsed whatever its type does not gain one", async () => {
      for (const parser of [express.json({ type: "*/*" }), express.urlencoded({ type: "*/*" })]) {
        const { person, typed } = await application(parser)
        const csrfToken = await person.csrf()
        refused(await post(person, "text/plain", JSON.stringify({ csrfToken })))
        refused(await post(person, "text/plain", `csrfToken=${csrfToken}`))
        expect(typed).toEqual([])
      }
    })

    test("reads what a middleware decodes but does not read", async () => {
      const { person, typed } = await application((req, _res, next) => {
        req.setEncoding("utf8")
        next()
      })
      const csrfToken = await person.csrf()
      await post(person, form, new URLSearchParams({ csrfToken, ...alice }).toString())
      expect(typed).toEqual([alice])
    })

    test("reads a compressed body that a parser inflated, with headers that say so", async () => {
      const { person, typed, requests } = await application(express.urlencoded({ extended: false }))
      const csrfToken = await person.csrf()
      const fields = new URLSearchParams({ csrfToken, ...alice }).toString()
      const stream = new Blob([fields]).stream().pipeThrough(new CompressionStream("gzip"))
      const cookie = cookiesOf(person)
      await fetch(person.origin + callback, {
        method: "POST",
        redirect: "manual",
        headers: { "content-type": form, "content-encoding": "gzip", cookie },
        body: await new Response(stream).arrayBuffer(),
      })
      expect(typed).toEqual([alice])
      expect(requests[0]?.headers.get("content-encoding")).toBeNull()
    })

    test("fails closed when a body cannot be handed on", async () => {
      const cycle: Record<string, unknown> = {}
      cycle["self"] = cycle
      const { person, typed } = await application(express.json(), (req, _res, next) => {
        if (req.body) req.body = cycle
        next()
      })
      expect((await post(person, json, "{}")).status).toBe(500)
      expect(typed).toEqual([])
    })

    test("106 refuses a body over 64 KiB with 413, parsed or not", async () => {
      const tooLong = `csrfToken=x&a=${"a".repeat(66_000)}`
      for (const before of [
        [],
        [express.urlencoded({ extended: true })],
        [express.text({ type: "*/*" })],
      ]) {
        const { person } = await application(...before)
        expect((await post(person, form, tooLong)).status).toBe(413)
        expect((await person.fetch("/auth/csrf")).status).toBe(200)
      }
    })

    test("106 answers 413 before a body has ended, and goes on with the connection", async () => {
      const { person } = await application()
      const socket = wire(person.origin)
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
      const chunk = `4000\r\n${"a".repeat(0x4000)}\r\n`
      const sending = setInterval(() => socket.write(chunk), 2)
      await vi.waitFor(() => expect(socket.received()).toContain("HTTP/1.1 413"))
      clearInterval(sending)
      socket.write(`${chunk.repeat(50)}0\r\n\r\n${next}`)
      await vi.waitFor(() => expect(socket.received()).toContain("HTTP/1.1 200"))
    })

    test("106 goes on with the connection after a body that is announced as too long", async () => {
      const { person } = await application()
      const socket = wire(person.origin)
      socket.write(`${head}Content-Length: 300000\r\n\r\n${"a".repeat(100_000)}`)
      await vi.waitFor(() => expect(socket.received()).toContain("HTTP/1.1 413"))
      socket.write(`${"a".repeat(200_000)}${next}`)
      await vi.waitFor(() => expect(socket.received()).toContain("HTTP/1.1 200"))
    })

    test("does not take half a body for a whole one", async () => {
      const { person, typed } = await application()
      const csrfToken = await person.csrf()
      const socket = wire(person.origin)
      const length = `Content-Length: 500\r\nCookie: ${cookiesOf(person)}\r\n\r\n`
      socket.write(`${head}${length}csrfToken=${csrfToken}&password=half`)
      await new Promise((resolve) => setTimeout(resolve, 50))
      socket.destroy()
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect((await person.fetch("/auth/session")).status).toBe(200)
      expect(typed).toEqual([])
    })

    test("136 reads many fields in bounded time", async () => {
      const { person } = await application()
      const start = performance.now()
      const { status } = await post(person, form, "a&".repeat(30_000))
      expect(status).toBe(302)
      expect(performance.now() - start).toBeLessThan(1000)
    })
  })
}
