/** Forms and server functions of frameworks. */
import type { AuthConfig } from "@latchkey/core"
import { MissingCSRF } from "@latchkey/core/errors"
import { assertSameOrigin, createAuthResolver, parseSignInForm } from "@latchkey/core/integration"
import credentials from "@latchkey/core/providers/credentials"
import { describe, expect, test } from "vitest"

describe("a sign-in form", () => {
  test("is split into the provider, its parameters and all other fields", () => {
    const form = new FormData()
    form.set("providerId", "google")
    form.set("redirectTo", "/members")
    form.set("authorizationParams-prompt", "login")
    form.set("authorizationParams-hd", "example.com")
    form.set("password", "hush")
    form.set("file", new Blob(["x"]))
    const { provider, options } = parseSignInForm(form)
    expect(provider).toBe("google")
    expect(options.fields).toEqual({ redirectTo: "/members", password: "hush" })
    expect(String(options.browserParams)).toBe("prompt=login&hd=example.com")
  })

  test("has no prototype", () => {
    const { options } = parseSignInForm([
      ["__proto__", "x"],
      ["authorizationParams-__proto__", "y"],
    ])
    expect(Object.getPrototypeOf(options.fields)).toBe(Object.prototype)
    expect(options.fields).toEqual({})
  })

  test("without a provider has none", () => {
    expect(parseSignInForm(new URLSearchParams("providerId=")).provider).toBeUndefined()
  })
})

describe("a request to a server function", () => {
  const origin = "https://app.example"

  test.each([
    ["Origin", { origin }],
    ["Sec-Fetch-Site", { "sec-fetch-site": "same-origin", origin: "null" }],
  ])("is accepted if %s shows that it is from the same origin", (_, headers) => {
    expect(() => assertSameOrigin(new Headers(headers), origin)).not.toThrow()
  })

  test.each([
    ["nothing", {}],
    ["another origin", { origin: "https://evil.example" }],
    ["another scheme", { origin: "http://app.example" }],
    ["null", { origin: "null" }],
    ["same-site", { origin, "sec-fetch-site": "same-site" }],
    ["cross-site", { origin, "sec-fetch-site": "cross-site" }],
    ["none", { origin, "sec-fetch-site": "none" }],
  ])("is refused if the browser sends %s", (_, headers) => {
    expect(() => assertSameOrigin(new Headers(headers), origin)).toThrow(MissingCSRF)
  })
})

describe("with `trustSameOrigin`", () => {
  const config: AuthConfig = {
    providers: [credentials({ authorize: () => ({ id: "1", name: "Ada" }) })],
    secret: "a secret of the application, long enough: 1",
    trustHost: true,
    logger: { error() {} },
  }
  const origin = "https://app.example"
  const signIn = (headers: Record<string, string>, ownPagesSuffice: boolean) =>
    createAuthResolver({ basePath: "/auth", trustSameOrigin: ownPagesSuffice })(
      config,
      {},
    ).engine.handle(
      new Request(`${origin}/auth/callback/credentials`, {
        method: "POST",
        body: new URLSearchParams({ name: "ada" }),
        headers,
      }),
    )
  const isIn = (response: Response) =>
    response.headers.getSetCookie().some((line) => line.includes("session-token"))

  test("a form of the same origin needs no token", async () => {
    expect(isIn(await signIn({ origin }, true))).toBe(true)
    expect(isIn(await signIn({ origin, "sec-fetch-site": "same-origin" }, true))).toBe(true)
  })

  test.each([
    ["sends neither header", {}],
    ["names another origin", { origin: "https://evil.example" }],
    ["sends cross-site", { origin, "sec-fetch-site": "cross-site" }],
    ["sends same-site", { origin, "sec-fetch-site": "same-site" }],
    ["hides the origin", { origin: "null" }],
  ])("a form without a token is refused when the browser %s", async (_, headers) => {
    expect(isIn(await signIn(headers, true))).toBe(false)
  })

  test("and not otherwise", async () => {
    expect(isIn(await signIn({ origin }, false))).toBe(false)
  })
})
