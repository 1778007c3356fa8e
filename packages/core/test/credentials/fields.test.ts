import { assertRefused } from "@latchkey/testing"
import fc from "fast-check"
import { afterEach, describe, expect, test } from "vitest"
import { ada, passwordDoor } from "../support/password-door.ts"

/** Posts a body of any kind, with the token of the browser among its fields. */
async function posted(
  door: ReturnType<typeof passwordDoor>,
  body: (token: string) => string,
  type: string,
) {
  const visitor = door.visitor()
  const answer = await visitor.fetch("/auth/callback/credentials", {
    method: "POST",
    headers: { "content-type": type },
    body: body(JSON.stringify(await visitor.csrf())),
  })
  return { answer, session: await visitor.session() }
}

const json = "application/json"

describe("104 a field that is no text", () => {
  test.each([
    ["a query operator", '{"$ne":null}'],
    ["a list", '["ada"]'],
    ["an empty object", "{}"],
    ["a deep object", '{"a":{"b":{"c":1}}}'],
  ])("is refused before `authorize`: %s", async (_, value) => {
    const door = passwordDoor()
    const { answer, session } = await posted(
      door,
      (token) => `{"csrfToken":${token},"name":"ada","password":${value}}`,
      json,
    )
    assertRefused(answer)
    expect(answer.status).toBe(400)
    expect(session).toBeNull()
    expect(door.asked).toEqual([])
  })

  test("is made text when it is a number or true, and left out when it is null", async () => {
    const door = passwordDoor()
    const body = (token: string) => `{"csrfToken":${token},"pin":1234,"remember":true,"code":null}`
    await posted(door, body, json)
    expect(door.asked).toEqual([{ csrfToken: expect.any(String), pin: "1234", remember: "true" }])
  })
})

const polluted = () => ({}) as Record<string, unknown>

describe("105 a field with a dangerous name", () => {
  afterEach(() => {
    expect(polluted()["admin"]).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test.each([
    [
      "__proto__ in JSON",
      (token: string) => `{"csrfToken":${token},"__proto__":{"admin":true}}`,
      json,
    ],
    [
      "constructor in JSON",
      (token: string) => `{"csrfToken":${token},"constructor":{"prototype":{"admin":true}}}`,
      json,
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
  ])("%s pollutes nothing, and reaches `authorize` as a field at most", async (_, body, type) => {
    const door = passwordDoor((fields) => {
      expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
      expect(fields["admin"]).toBeUndefined()
      return ada
    })
    const { answer } = await posted(door, body, type)
    expect([302, 400]).toContain(answer.status)
    expect(door.log.errors().filter((code) => code !== "InvalidRequest")).toEqual([])
  })

  test("__proto__ in the query is none of the fields", async () => {
    const door = passwordDoor()
    const visitor = door.visitor()
    const csrfToken = await visitor.csrf()
    await visitor.post("/auth/callback/credentials?__proto__[admin]=true&name=query", { csrfToken })
    expect(door.asked).toEqual([{ csrfToken }])
  })
})

describe("106 a body that cannot be used", () => {
  const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth)

  test.each([
    ["broken JSON", () => '{"name":"ada"', 400],
    ["null", () => "null", 400],
    ["a list", () => "[]", 400],
    ["a text", () => '"ada"', 400],
    ["no characters at all", () => "", 400],
    ["JSON of 33 levels", (token: string) => `{"csrfToken":${token},"a":${deep(33)}}`, 400],
    ["JSON of 30,000 levels", (token: string) => `{"csrfToken":${token},"a":${deep(30_000)}}`, 400],
    [
      "more than 64 KiB",
      (token: string) => `{"csrfToken":${token},"a":"${"x".repeat(65_536)}"}`,
      413,
    ],
  ])("(%s) is refused before `authorize`", async (_, body, status) => {
    const door = passwordDoor()
    const { answer, session } = await posted(door, body, json)
    assertRefused(answer)
    expect(answer.status).toBe(status)
    expect(session).toBeNull()
    expect(door.asked).toEqual([])
  })

  test("of any size is read no further than the limit", async () => {
    const door = passwordDoor()
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        controller.enqueue(new Uint8Array(16_384).fill(97))
      },
    })
    const answer = await door.handle(
      new Request("https://app.example/auth/callback/credentials", {
        method: "POST",
        headers: { "content-type": json },
        body: endless,
        duplex: "half",
      } as RequestInit),
    )
    expect(answer.status).toBe(413)
    expect(sent).toBeLessThan(10)
  })

  test("of exactly 64 KiB is read", async () => {
    const door = passwordDoor()
    const { answer } = await posted(
      door,
      (token) => {
        const start = `{"csrfToken":${token},"a":"`
        return `${start}${"x".repeat(65_536 - start.length - 2)}"}`
      },
      json,
    )
    expect(answer.headers.get("location")).toBe("https://app.example")
    expect(door.asked).toHaveLength(1)
  })
})

describe("107 a password", () => {
  test.each([
    ["JSON", json, (fields: object) => JSON.stringify(fields)],
    [
      "a form",
      "application/x-www-form-urlencoded",
      (fields: Record<string, string>) => String(new URLSearchParams(fields)),
    ],
  ])("reaches `authorize` byte for byte, from %s", async (_, type, encode) => {
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
        const door = passwordDoor()
        await posted(door, (token) => encode({ csrfToken: JSON.parse(token), password }), type)
        expect(door.asked).toEqual([{ csrfToken: expect.any(String), password }])
      }),
      { numRuns: 40, examples: examples.map((example): [string] => [example]) },
    )
  })

  test.each(["right", "wrong", "broken"])("that is %s is in no answer", async (kind) => {
    const password = `kind-of-${kind}-password`
    const door = passwordDoor(() => {
      if (kind === "broken") throw new Error(`cannot compare ${password}`)
      return kind === "right" ? ada : null
    })
    const visitor = door.visitor()
    const answer = await visitor.signIn("credentials", { name: "ada", password })
    const next = await visitor.follow(answer)
    const seen = [answer, next].flatMap(({ headers }) => [...headers]).join()
    expect(seen + (await next.text())).not.toContain(password)
    expect(seen).not.toContain(encodeURIComponent(password))
    expect(door.log.text()).not.toContain(password)
  })
})

describe("108 a provider that nobody configured", () => {
  const ids = [
    "other",
    "__proto__",
    "constructor",
    "toString",
    "..%2fcredentials",
    "credentials%00",
    "CREDENTIALS",
  ]

  test.each(ids)("(%s) is refused without a fault", async (id) => {
    const door = passwordDoor()
    const visitor = door.visitor()
    const csrfToken = await visitor.csrf()
    for (const action of ["callback", "signin"]) {
      const answer = await visitor.post(`/auth/${action}/${id}`, { csrfToken, name: "ada" })
      assertRefused(answer)
      assertRefused(await visitor.open(`/auth/${action}/${id}`))
    }
    expect(new Set(door.log.errors())).toEqual(new Set(["InvalidProvider"]))
    expect(door.asked).toEqual([])
    expect(await visitor.session()).toBeNull()
  })
})
