import { encode } from "@latchkey/core/jwt"
import { createScriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectExpiredResponseIgnored } from "../support/expired-response.ts"
import { sessionCookieName } from "../support/forged-tokens.ts"
import { createPasswordApp, readSessionCookie, secret } from "../support/password-app.ts"

const origin = "https://app.example"

async function createAppWithProvider() {
  const provider = await createScriptedProvider()
  const app = createPasswordApp()
  const providers = [...app.config.providers, provider.asOidc()]
  return { provider, app: createPasswordApp({ providers }) }
}

describe("as a session cookie", () => {
  async function expectNobody(value: string) {
    const { app } = await createAppWithProvider()
    const mallory = app.openBrowser()
    mallory.cookies.setUnchecked(origin, `${sessionCookieName}=${value}; Path=/; Secure`)
    expect(await mallory.getSession()).toBeNull()
    expect(app.errorCodes).toEqual(["JWTSessionError"])
  }

  test("the cookie of a pending sign-in is refused", async () => {
    const { app, provider } = await createAppWithProvider()
    const mallory = app.openBrowser()
    await mallory.startSignIn(provider)
    const [flow] = [...mallory.cookies].filter(({ name }) => name.includes("state"))
    expect(flow?.value.split(".")).toHaveLength(5)
    await expectNobody(flow?.value ?? "")
  })

  test("the state for a redirect proxy is refused", async () => {
    const provider = await createScriptedProvider()
    const redirectProxyUrl = "https://proxy.example/auth"
    const app = createPasswordApp({ providers: [provider.asOidc()], redirectProxyUrl })
    const state = (await app.openBrowser().startSignIn(provider)).searchParams.get("state") ?? ""
    expect(state.split(".")).toHaveLength(5)
    await expectNobody(state)
  })

  test("the CSRF cookie is refused", async () => {
    const { app } = await createAppWithProvider()
    const mallory = app.openBrowser()
    await mallory.getCsrfToken()
    await expectNobody(mallory.cookies.get("__Host-authjs.csrf-token")?.value ?? "")
  })

  const others = [
    "__Secure-authjs.state",
    "__Secure-authjs.nonce",
    "__Secure-authjs.pkce.code_verifier",
    "__Secure-authjs.challenge",
    "encodedState",
    "encodedWebauthnChallenge",
    "authjs.session-token",
    "latchkey",
    "",
  ]
  test.each(others)("a value encrypted for `%s` is refused", async (salt) => {
    const claims = { value: "x", sub: "user-ada", name: "ada" }
    await expectNobody(await encode({ token: claims, secret, salt }))
  })
})

describe("as the cookie of a pending sign-in", () => {
  /** A pending sign-in whose cookie is replaced. */
  async function withFlowCookie(value: (name: string) => Promise<string>) {
    const { app, provider } = await createAppWithProvider()
    const mallory = await app.openSignedInBrowser("mallory")
    const comeback = provider.approve(await mallory.startSignIn(provider))
    const [flow] = [...mallory.cookies].filter(({ name }) => name.includes("state"))
    const name = flow?.name ?? ""
    mallory.cookies.delete(name)
    mallory.cookies.setUnchecked(
      origin,
      `${name}=${await value(readSessionCookie(mallory))}; Path=/; Secure`,
    )
    const response = await mallory.open(comeback)
    return { response, provider }
  }

  test("a session token is refused, before any request to the provider", async () => {
    const { response, provider } = await withFlowCookie(async (session) => session)
    expectExpiredResponseIgnored(response)
    expect(provider.tokenRequests).toEqual([])
  })

  test.each(["__Secure-authjs.state", "__Secure-authjs.session-token", "encodedState"])(
    "a value encrypted for `%s` is refused",
    async (salt) => {
      const claims = { provider: "scripted", value: "x", callbackUrl: origin }
      const { response, provider } = await withFlowCookie(() =>
        encode({ token: claims, secret, salt }),
      )
      expectExpiredResponseIgnored(response)
      expect(provider.tokenRequests).toEqual([])
    },
  )
})
