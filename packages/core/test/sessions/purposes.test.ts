import { encode } from "@latchkey/core/jwt"
import { assertRefused, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { sessionName } from "../support/forged-tokens.ts"
import { people, secret, sessionCookie } from "../support/people.ts"

const origin = "https://app.example"

async function application() {
  const provider = await scriptedProvider()
  const app = people()
  const providers = [...app.config.providers, provider.asOidc()]
  return { provider, app: people({ providers }) }
}

describe("54 as a session cookie", () => {
  async function expectNobody(value: string) {
    const { app } = await application()
    const mallory = app.browser()
    mallory.cookies.plant(origin, `${sessionName}=${value}; Path=/; Secure`)
    expect(await mallory.session()).toBeNull()
    expect(mallory.cookies.has(sessionName)).toBe(false)
    expect(app.errors).toEqual(["JWTSessionError"])
  }

  test("the cookie of a sign-in under way is refused", async () => {
    const { app, provider } = await application()
    const mallory = app.browser()
    await mallory.begin(provider)
    const [flow] = [...mallory.cookies].filter(({ name }) => name.includes("state"))
    expect(flow?.value.split(".")).toHaveLength(5)
    await expectNobody(flow?.value ?? "")
  })

  test("the state that a redirect proxy gets is refused", async () => {
    const provider = await scriptedProvider()
    const redirectProxyUrl = "https://proxy.example/auth"
    const app = people({ providers: [provider.asOidc()], redirectProxyUrl })
    const state = (await app.browser().begin(provider)).searchParams.get("state") ?? ""
    expect(state.split(".")).toHaveLength(5)
    await expectNobody(state)
  })

  test("the pair of a form is refused", async () => {
    const { app } = await application()
    const mallory = app.browser()
    await mallory.csrf()
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
  test.each(others)("what is sealed for `%s` is refused", async (salt) => {
    const claims = { value: "x", sub: "user-ada", name: "ada" }
    await expectNobody(await encode({ token: claims, secret, salt }))
  })
})

describe("54 as the cookie of a sign-in under way", () => {
  /** A begun sign-in whose cookie is replaced. */
  async function withFlowCookie(value: (name: string) => Promise<string>) {
    const { app, provider } = await application()
    const mallory = await app.signedIn("mallory")
    const comeback = provider.approve(await mallory.begin(provider))
    const [flow] = [...mallory.cookies].filter(({ name }) => name.includes("state"))
    const name = flow?.name ?? ""
    mallory.cookies.delete(name)
    mallory.cookies.plant(origin, `${name}=${await value(sessionCookie(mallory))}; Path=/; Secure`)
    const answer = await mallory.open(comeback)
    return { answer, provider }
  }

  test("a session token is refused, before the provider is asked for anything", async () => {
    const { answer, provider } = await withFlowCookie(async (session) => session)
    assertRefused(answer)
    expect(provider.tokenRequests).toEqual([])
  })

  test.each(["__Secure-authjs.state", "__Secure-authjs.session-token", "encodedState"])(
    "what is sealed for `%s` is refused",
    async (salt) => {
      const claims = { provider: "scripted", value: "x", callbackUrl: origin }
      const { answer, provider } = await withFlowCookie(() =>
        encode({ token: claims, secret, salt }),
      )
      assertRefused(answer)
      expect(provider.tokenRequests).toEqual([])
    },
  )
})
