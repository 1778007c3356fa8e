import { assertRefused } from "@latchkey/testing"
import fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { ada, createAuthorizeApp } from "../support/authorize-app.ts"

/** Posts a body of any content type that contains the CSRF token of the browser. */
async function postBody(
  app: ReturnType<typeof createAuthorizeApp>,
  body: (token: string) => string,
  type: string,
) {
  const browser = app.openBrowser()
  const response = await browser.fetch("/auth/callback/credentials", {
    method: "POST",
    headers: { "content-type": type },
    body: body(JSON.stringify(await browser.getCsrfToken())),
  })
  return { response, session: await browser.getSession() }
}

const jsonContentType = "application/json"

describe("a field that is not a string", () => {
  test.each([
    ["a query operator", '{"$ne":null}'],
    ["an array", '["ada"]'],
    ["an empty object", "{}"],
    ["a nested object", '{"a":{"b":{"c":1}}}'],
  ])("is refused before `authorize`: %s", async (_, value) => {
    const app = createAuthorizeApp()
    const { response, session } = await postBody(
      app,
      (token) => `{"csrfToken":${token},"name":"ada","password":${value}}`,
      jsonContentType,
    )
    assertRefused(response)
    expect(response.status).toBe(400)
    expect(session).toBeNull()
    expect(app.authorizeCalls).toEqual([])
  })

  test("is converted to a string if it is a number or true, and omitted if it is null", async () => {
    const app = createAuthorizeApp()
    const body = (token: string) => `{"csrfToken":${token},"pin":1234,"remember":true,"code":null}`
    await postBody(app, body, jsonContentType)
    expect(app.authorizeCalls).toEqual([
      { csrfToken: expect.any(String), pin: "1234", remember: "true" },
    ])
  })
})

const createPollutedObject = () => ({}) as Record<string, unknown>

describe("a field with a dangerous name", () => {
  afterEach(() => {
    expect(createPollutedObject()["admin"]).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test.each([
    [
      "__proto__ in JSON",
      (token: string) => `{"csrfToken":${token},"__proto__":{"admin":true}}`,
      jsonContentType,
    ],
    [
      "constructor in JSON",
      (token: string) => `{"csrfToken":${token},"constructor":{"prototype":{"admin":true}}}`,
      jsonContentType,
    ],
    [
      "__proto__ in a form",
      (token: string) => `csrfToken=${JSON.parse(token)}&__proto__=x&__proto__.admin=true`,
      "application/x-www-form-urlencoded",
    ],
    [
      "constructor in a form",
      (token: string) =>
        `csrfToken=${JSON.parse(token)}&constructor=x&constructor[prototype][admin]=true`,
      "application/x-www-form-urlencoded",
    ],
  ])(
    "%s causes no prototype pollution, and reaches `authorize` at most as a field",
    async (_, body, type) => {
      const app = createAuthorizeApp((fields) => {
        expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
        expect(fields["admin"]).toBeUndefined()
        return ada
      })
      const { response } = await postBody(app, body, type)
      expect([302, 400]).toContain(response.status)
      expect(app.log.errorCodes().filter((code) => code !== "InvalidRequest")).toEqual([])
    },
  )

  test("__proto__ in the query is not a field", async () => {
    const app = createAuthorizeApp()
    const browser = app.openBrowser()
    const csrfToken = await browser.getCsrfToken()
    await browser.post("/auth/callback/credentials?__proto__[admin]=true&name=query", { csrfToken })
    expect(app.authorizeCalls).toEqual([{ csrfToken }])
  })
})

describe("an invalid body", () => {
  const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth)

  test.each([
    ["broken JSON", () => '{"name":"ada"', 400],
    ["null", () => "null", 400],
    ["an array", () => "[]", 400],
    ["a string", () => '"ada"', 400],
    ["an empty body", () => "", 400],
    ["JSON of 33 levels", (token: string) => `{"csrfToken":${token},"a":${deep(33)}}`, 400],
    ["JSON of 30,000 levels", (token: string) => `{"csrfToken":${token},"a":${deep(30_000)}}`, 400],
    [
      "more than 64 KiB",
      (token: string) => `{"csrfToken":${token},"a":"${"x".repeat(65_536)}"}`,
      413,
    ],
  ])("(%s) is refused before `authorize`", async (_, body, status) => {
    const app = createAuthorizeApp()
    const { response, session } = await postBody(app, body, jsonContentType)
    assertRefused(response)
    expect(response.status).toBe(status)
    expect(session).toBeNull()
    expect(app.authorizeCalls).toEqual([])
  })

  test("of any size is read only up to the limit", async () => {
    const app = createAuthorizeApp()
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        controller.enqueue(new Uint8Array(16_384).fill(97))
      },
    })
    const response = await app.handle(
      new Request("https://app.example/auth/callback/credentials", {
        method: "POST",
        headers: { "content-type": jsonContentType },
        body: endless,
        duplex: "half",
      } as RequestInit),
    )
    expect(response.status).toBe(413)
    expect(sent).toBeLessThan(10)
  })

  test("of exactly 64 KiB is read", async () => {
    const app = createAuthorizeApp()
    const { response } = await postBody(
      app,
      (token) => {
        const start = `{"csrfToken":${token},"a":"`
        return `${start}${"x".repeat(65_536 - start.length - 2)}"}`
      },
      jsonContentType,
    )
    expect(response.headers.get("location")).toBe("https://app.example")
    expect(app.authorizeCalls).toHaveLength(1)
  })
})

describe("a password", () => {
  test.each([
    ["JSON", jsonContentType, (fields: object) => JSON.stringify(fields)],
    [
      "a form",
      "application/x-www-form-urlencoded",
      (fields: Record<string, string>) => String(new URLSearchParams(fields)),
    ],
  ])("is passed to `authorize` byte for byte, from %s", async (_, type, encode) => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 })
    const examples = [
      " leading and trailing ",
      "\t\r\n",
      "ﬁ℻ａ",
      "e\u0301",
      "\u0000",
      "&=+%20#",
      "x".repeat(5000),
    ]
    await fc.assert(
      fc.asyncProperty(text, async (password) => {
        const app = createAuthorizeApp()
        await postBody(app, (token) => encode({ csrfToken: JSON.parse(token), password }), type)
        expect(app.authorizeCalls).toEqual([{ csrfToken: expect.any(String), password }])
      }),
      { numRuns: 40, examples: examples.map((example): [string] => [example]) },
    )
  })

  test.each(["right", "wrong", "broken"])("that is %s appears in no response", async (kind) => {
    const password = `kind-of-${kind}-password`
    const app = createAuthorizeApp(() => {
      if (kind === "broken") throw new Error(`cannot compare ${password}`)
      return kind === "right" ? ada : null
    })
    const browser = app.openBrowser()
    const response = await browser.signIn("credentials", { name: "ada", password })
    const next = await browser.followRedirect(response)
    const seen = [response, next].flatMap(({ headers }) => [...headers]).join()
    expect(seen + (await next.text())).not.toContain(password)
    expect(seen).not.toContain(encodeURIComponent(password))
    expect(app.log.toText()).not.toContain(password)
  })
})

describe("an unknown provider", () => {
  const ids = [
    "other",
    "__proto__",
    "constructor",
    "toString",
    "..%2fcredentials",
    "credentials%00",
    "CREDENTIALS",
  ]

  test.each(ids)("(%s) is refused without an error of the application", async (id) => {
    const app = createAuthorizeApp()
    const browser = app.openBrowser()
    const csrfToken = await browser.getCsrfToken()
    for (const action of ["callback", "signin"]) {
      const response = await browser.post(`/auth/${action}/${id}`, { csrfToken, name: "ada" })
      assertRefused(response)
      assertRefused(await browser.open(`/auth/${action}/${id}`))
    }
    expect(new Set(app.log.errorCodes())).toEqual(new Set(["InvalidProvider"]))
    expect(app.authorizeCalls).toEqual([])
    expect(await browser.getSession()).toBeNull()
  })
})
