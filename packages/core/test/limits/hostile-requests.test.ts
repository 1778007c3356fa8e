/** Security case 136: the work for a request is bounded, whatever its size. */
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { type Authorize, createAuthorizeApp } from "../support/authorize-app.ts"
import { createEmailApp } from "../support/email-app.ts"

const origin = "https://app.example"

async function sendRequest(path: string, init: RequestInit = {}) {
  const app = await createEmailApp()
  const response = await app.handle(new Request(`${origin}${path}`, init))
  return { response, text: await response.text(), app }
}

describe("a path", () => {
  test.each([
    ["of 60 kB", `/auth/${"a".repeat(60_000)}`],
    ["of 60 kB below an action", `/auth/signin/${"a".repeat(60_000)}`],
    ["of 50,000 slashes", "/".repeat(50_000)],
    ["of 50,000 slashes below the base path", `/auth${"/".repeat(50_000)}`],
    ["of 50,000 slashes between base path and action", `/auth${"/".repeat(50_000)}session`],
    ["of 50,000 segments", `/auth${"/a".repeat(50_000)}`],
    ["of 20,000 percent signs", `/auth/signin/${"%25".repeat(20_000)}`],
    ["of 30,000 dots", `/auth/${".../".repeat(10_000)}`],
  ])("%s is a bad request, calls nothing and sets no cookie", async (_, path) => {
    const { response, text, app } = await sendRequest(path)
    expect(response.status).toBe(400)
    expect(text).toBe('"Bad request."')
    expect(response.headers.getSetCookie()).toEqual([])
    expect(app.calls).toEqual([])
    expect(app.log.toText().length).toBeLessThan(20_000)
  })
})

describe("the base path", () => {
  test.each(["/a.th", "/(a+)+", "/[auth]", "/a*", "/auth|x", "/(auth)"])(
    "(%s) is literal",
    async (basePath) => {
      const { handle, log } = createAuthorizeApp(undefined, { basePath })
      const pathname = new URL(basePath, origin).pathname
      const own = await handle(new Request(`${origin}${pathname}/providers`))
      const other = await handle(new Request(`${origin}/auth/providers`))
      // An invalid base path is a configuration problem, which refuses the request, too.
      expect([200, 500]).toContain(own.status)
      expect(other.status).toBe(400)
      expect(log.errorCodes().length).toBeGreaterThan(0)
    },
  )

  test.each([
    "/authsession",
    "/auth//",
    "/xauth/session",
    "/AUTH/session",
    "/auth/session/x",
    "/a/auth/session",
  ])("is not a prefix of %s", async (path) => {
    expect((await sendRequest(path)).response.status).toBe(400)
  })
})

describe("a query", () => {
  test.each([
    ["of 60 kB", `error=${"a".repeat(60_000)}`],
    ["of 20,000 fields", "a=1&".repeat(20_000)],
  ])("%s is a bad request", async (_, query) => {
    for (const path of ["/auth/signin", "/auth/session", "/auth/callback/nodemailer"]) {
      expect((await sendRequest(`${path}?${query}`)).response.status).toBe(400)
    }
  })

  test("of 10 kB gets a response, and no cookie over 4096 bytes", async () => {
    const { response } = await sendRequest(
      `/auth/signin?error=x&callbackUrl=/${"a".repeat(10_000)}`,
    )
    expect(response.status).toBe(200)
    for (const line of response.headers.getSetCookie()) {
      expect(line.split(";", 1)[0]?.length).toBeLessThanOrEqual(4096)
    }
  })
})

const formContentType = "application/x-www-form-urlencoded"

describe("a body", () => {
  const bodies: [string, string, string, number][] = [
    ["a form of 50,000 fields", formContentType, "a=1&".repeat(50_000), 413],
    ["a form of 30,000 empty fields", formContentType, "a&".repeat(30_000), 302],
    [
      "JSON of 20,000 fields",
      "application/json",
      `{${Array.from({ length: 20_000 }, (_, i) => `"${i}":1`).join()}}`,
      413,
    ],
    [
      "JSON of 30,000 levels of lists",
      "application/json",
      `${"[".repeat(30_000)}${"]".repeat(30_000)}`,
      400,
    ],
    [
      "JSON of 10,000 levels of objects",
      "application/json",
      `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
      400,
    ],
    ["incomplete JSON", "application/json", "[".repeat(60_000), 400],
    ["a number of 60,000 digits", "application/json", `{"a":${"9".repeat(60_000)}}`, 302],
    ["1 MiB of text", "text/plain", "x".repeat(1_048_576), 302],
  ]

  test.each(bodies)("(%s) is refused before any callback", async (_, type, body, status) => {
    const { response, app } = await sendRequest("/auth/signin/nodemailer", {
      method: "POST",
      headers: { "content-type": type },
      body,
    })
    assertRefused(response)
    expect(response.status).toBe(status)
    expect(app.calls).toEqual([])
    expect(app.inbox.messages).toEqual([])
  })

  test("whose announced length is over the limit is not read", async () => {
    let read = false
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          read = true
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const { response } = await sendRequest("/auth/signout", {
      method: "POST",
      headers: { "content-type": formContentType, "content-length": "65537" },
      body,
      duplex: "half",
    } as RequestInit)
    expect(response.status).toBe(413)
    expect(read).toBe(false)
  })

  test("that is aborted is refused", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: () => Promise.reject(new Error("connection lost")),
    })
    const { response } = await sendRequest("/auth/signout", {
      method: "POST",
      headers: { "content-type": formContentType },
      body,
      duplex: "half",
    } as RequestInit)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

test("an error that repeats thousands of fields is truncated in the log", async () => {
  const words = Array.from({ length: 4000 }, (_, index) => `word-${index}`)
  const authorize: Authorize = () => Promise.reject(new Error(words.join(" ")))
  const app = createAuthorizeApp(authorize)
  const fields = Object.fromEntries(words.map((word, index) => [index.toString(36), word]))
  await app.openBrowser().signIn("credentials", fields)
  expect(app.log.errorCodes()).toEqual(["CallbackRouteError"])
  expect(app.log.toText().length).toBeLessThan(60_000)
})
