/** Limits of bodies, tested with the session update, which passes its data to the `jwt` callback. */
import type { JWT } from "@latchkey/core/types"
import { assertRefused } from "@latchkey/testing"
import fc from "fast-check"
import { describe, expect, test, vi } from "vitest"
import { IncomingWebRequest } from "../../src/http/incoming-request.ts"
import { readBody } from "../../src/http/request-body.ts"
import { createPasswordApp, type PasswordApp, password } from "../support/password-app.ts"

const bodyLimit = 65_536
const credentialsPath = "/auth/callback/credentials"

function createRequest(
  body: BodyInit,
  type: string,
  headers: Record<string, string> = {},
): Request {
  return new Request("https://app.example/auth/session", {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body,
  })
}

const read = (request: Request) => readBody(new IncomingWebRequest(request))
const readForm = (body: BodyInit) => read(createRequest(body, "application/x-www-form-urlencoded"))
const readJson = (body: BodyInit) => read(createRequest(body, "application/json"))

describe("a form", () => {
  const field = fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }))

  test("is parsed to an object with the last value of each field", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 30 }), async (fields) => {
        const { body, form } = await readForm(new URLSearchParams(fields).toString())
        expect(body).toEqual(Object.fromEntries(fields.filter(([name]) => name !== "__proto__")))
        expect([...form]).toEqual(fields)
      }),
    )
  })

  test("has no `__proto__`", async () => {
    const { body } = await readForm("a=1&__proto__=x&__proto__[b]=2")
    expect(Object.keys(body)).toEqual(["a", "__proto__[b]"])
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
  })

  test("is parsed without an exception, whatever its bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
        const { body } = await readForm(bytes as Uint8Array<ArrayBuffer>)
        expect(Object.values(body).every((value) => typeof value === "string")).toBe(true)
      }),
    )
  })

  test("with very many fields is read, up to the limit", async () => {
    const many = "a&".repeat(bodyLimit / 2)
    expect((await readForm(many)).body).toEqual({ a: "" })
    const named = Array.from({ length: 50_000 }, (_, i) => `f${i}`).join("&")
    await expect(readForm(named)).rejects.toMatchObject({ type: "InvalidRequest", status: 413 })
    const fitting = Array.from({ length: 9000 }, (_, i) => `f${i}`).join("&")
    expect(Object.keys((await readForm(fitting)).body)).toHaveLength(9000)
  })
})

describe("a JSON body", () => {
  const withoutProto = (value: unknown): boolean => !JSON.stringify(value).includes('"__proto__"')

  test("is parsed unchanged", async () => {
    const data = fc.jsonValue({ maxDepth: 6 }).filter(withoutProto)
    await fc.assert(
      fc.asyncProperty(data, async (value) => {
        const { body } = await readJson(JSON.stringify({ value }))
        expect(JSON.stringify(body["value"])).toBe(JSON.stringify(value))
      }),
    )
  })

  test("that is not an object is refused with 400", async () => {
    const objects = (text: string) => {
      try {
        const value: unknown = JSON.parse(text)
        return typeof value === "object" && value !== null && !Array.isArray(value)
      } catch {
        return false
      }
    }
    const text = fc.oneof(fc.json(), fc.string({ minLength: 1 })).filter((each) => !objects(each))
    await fc.assert(
      fc.asyncProperty(text, async (each) => {
        await expect(readJson(each)).rejects.toMatchObject({ type: "InvalidRequest", status: 400 })
      }),
    )
  })

  test("has no `__proto__`, at any depth", async () => {
    const { body } = await readJson(
      '{"__proto__":{"a":1},"b":{"__proto__":{"a":1},"c":[{"__proto__":null}]}}',
    )
    expect(JSON.stringify(body)).toBe('{"b":{"c":[{}]}}')
    expect(Object.getPrototypeOf(body["b"])).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined()
  })

  test.each(["[", '{"a":'])("nested 30,000 times with `%s` is refused", async (opening) => {
    const closing = opening === "[" ? "]" : "}"
    const times = opening === "[" ? 30_000 : 10_000
    const text = `{"data":${opening.repeat(times)}1${closing.repeat(times)}}`
    await expect(readJson(text)).rejects.toMatchObject({ status: 400 })
  })

  test("can be nested 32 levels deep, and no deeper", async () => {
    const nested = (levels: number) => ['{"a":'.repeat(levels), "1", "}".repeat(levels)].join("")
    await expect(readJson(nested(32))).resolves.toBeDefined()
    await expect(readJson(nested(33))).rejects.toMatchObject({ status: 400 })
  })
})

describe("the limit of 64 KiB", () => {
  const text = (bytes: number) => `{"a":"${"x".repeat(bytes - 8)}"}`

  test("is counted in bytes", async () => {
    expect((await readJson(text(bodyLimit))).body).toEqual({ a: "x".repeat(bodyLimit - 8) })
    await expect(readJson(text(bodyLimit + 1))).rejects.toMatchObject({ status: 413 })
    await expect(readJson(`{"a":"${"é".repeat(bodyLimit / 2)}"}`)).rejects.toMatchObject({
      status: 413,
    })
  })

  test("applies to a body without a length, which is read no further", async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(1024).fill(0x61))
      },
    })
    const init = { method: "POST", body: endless, duplex: "half" as const }
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    const sent = new Request("https://app.example/auth/session", { ...init, headers })
    await expect(read(sent)).rejects.toMatchObject({ status: 413 })
    expect(pulled).toBeLessThan(70)
  })

  test("applies to `Content-Length` alone, without reading", async () => {
    const pull = vi.fn()
    const init = {
      method: "POST",
      body: new ReadableStream({ pull }, { highWaterMark: 0 }),
      duplex: "half" as const,
    }
    const headers = { "content-type": "application/json", "content-length": String(bodyLimit + 1) }
    const sent = new Request("https://app.example/auth/session", { ...init, headers })
    await expect(read(sent)).rejects.toMatchObject({ status: 413 })
    expect(pull).not.toHaveBeenCalled()
  })

  test("applies whatever `Content-Length` says", async () => {
    const short = createRequest(text(bodyLimit + 1), "application/json", { "content-length": "10" })
    await expect(read(short)).rejects.toMatchObject({ status: 413 })
    const nonsense = createRequest(text(100), "application/json", { "content-length": "-1, x" })
    await expect(read(nonsense)).resolves.toBeDefined()
  })
})

describe("a request", () => {
  async function post(app: PasswordApp, body: string, type: string): Promise<Response> {
    const headers = { "content-type": type }
    return app.openBrowser().post(credentialsPath, body, { headers })
  }

  test.each([
    ["too large", `{"a":"${"x".repeat(bodyLimit)}"}`, 413],
    ["not JSON", "{", 400],
    ["not an object", "[]", 400],
    ["too deep", `{"data":${"[".repeat(1000)}${"]".repeat(1000)}}`, 400],
  ])("with a body that is %s is refused", async (_, body, status) => {
    const app = createPasswordApp()
    const response = await post(app, body, "application/json")
    assertRefused(response)
    expect(response.status).toBe(status)
    expect(app.authorizeCalls).toEqual([])
    expect(app.errorCodes).toEqual(["InvalidRequest"])
  })

  test("passes fields to `authorize` unchanged, including long and unusual passwords", async () => {
    const app = createPasswordApp()
    const alice = app.openBrowser()
    const csrfToken = await alice.getCsrfToken()
    const strange = `${"p".repeat(200)} +%20&=é😀\u0000 `
    await alice.post(credentialsPath, { csrfToken, name: "ada", password: strange })
    expect(app.authorizeCalls).toMatchObject([{ name: "ada", password: strange }])
  })

  test("passes the data of an update to the `jwt` callback unchanged", async () => {
    const seen: unknown[] = []
    const jwt = ({
      token,
      trigger,
      session,
    }: {
      token: JWT
      trigger?: string
      session?: unknown
    }) => {
      if (trigger === "update") seen.push(session)
      return token
    }
    const alice = await createPasswordApp({ callbacks: { jwt } }).openSignedInBrowser()
    const data = { nested: { list: [1, null, { deep: true }] }, text: "é😀", password }
    await alice.updateSession(data)
    expect(seen).toEqual([data])
  })
})
