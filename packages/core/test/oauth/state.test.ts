import {
  assertRefused,
  createScriptedProvider,
  createTestBrowser,
  withFrozenTime,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectExpiredResponseIgnored } from "../support/expired-response.ts"
import {
  createOAuthApp,
  expectSignInRefused,
  listTransactionCookies,
} from "../support/oauth-app.ts"

const mallory = { sub: "mallory", email: "mallory@example.com", email_verified: true }

async function createSetup(secret?: string) {
  const provider = await createScriptedProvider()
  const app = await createOAuthApp(provider.asOidc(), secret === undefined ? {} : { secret })
  return { provider, app, alice: createTestBrowser(app.app) }
}

describe("state", () => {
  test("refuses a sign-in that another browser started, without a request to the provider", async () => {
    const { provider, app, alice } = await createSetup()
    const stranger = createTestBrowser(app.app)
    const comeback = provider.approve(await alice.startSignIn(provider))
    await expectSignInRefused(await stranger.open(comeback), stranger, app, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("refuses a sign-in that took longer than 15 minutes", async () => {
    const { provider, app } = await createSetup()
    const alice = createTestBrowser(app.app, { now: () => 0 })
    const comeback = provider.approve(await alice.startSignIn(provider))
    const response = await withFrozenTime(Date.now() + 901_000, () => alice.open(comeback))
    assertRefused(response)
    expect(provider.tokenRequests).toEqual([])
    expect(app.readRows("User")).toEqual([])
  })

  test("accepts a sign-in that took just under 15 minutes", async () => {
    const { provider, alice } = await createSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    const response = await withFrozenTime(Date.now() + 880_000, () => alice.open(comeback))
    expect(response.headers.get("location")).toBe("https://app.example")
  })

  test("refuses a sign-in that a deployment with another secret started", async () => {
    const { provider, alice } = await createSetup()
    const other = await createSetup("the-secret-of-a-quite-different-deployment")
    const comeback = provider.approve(await alice.startSignIn(provider))
    const moved = createTestBrowser(other.app.app)
    for (const { raw } of alice.cookies) moved.cookies.setUnchecked("https://app.example/", raw)
    assertRefused(await moved.open(comeback))
    expect(provider.tokenRequests).toEqual([])
    expect(other.app.readRows("User")).toEqual([])
  })

  test("refuses a state with the cookie of another sign-in", async () => {
    const { provider, app, alice } = await createSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    const [name = ""] = listTransactionCookies(alice)
    const other = createTestBrowser(app.app)
    await other.startSignIn(provider)
    const [otherName = ""] = listTransactionCookies(other)
    const value = other.cookies.get(otherName)?.value
    alice.cookies.setUnchecked("https://app.example/", `${name}=${value}; Path=/; Secure; HttpOnly`)
    await expectSignInRefused(await alice.open(comeback), alice, app, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("refuses an attacker's code in a browser that started no sign-in", async () => {
    const { provider, app, alice } = await createSetup()
    const attacker = createTestBrowser(app.app)
    const comeback = provider.approve(await attacker.startSignIn(provider), { user: mallory })
    const response = await alice.open(comeback, { from: "https://evil.example" })
    await expectSignInRefused(response, alice, app, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("refuses an attacker's code during a sign-in, which then completes", async () => {
    const { provider, app, alice } = await createSetup()
    const own = provider.approve(await alice.startSignIn(provider))
    const attacker = createTestBrowser(app.app)
    const planted = provider.approve(await attacker.startSignIn(provider), { user: mallory })
    assertRefused(await alice.open(planted, { from: "https://evil.example" }))
    expect(await alice.getSession()).toBeNull()
    await alice.open(own)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(app.readRows("User")).toHaveLength(1)
  })
})

describe("a response can be used once", () => {
  test("refuses a response that was already used", async () => {
    const { provider, alice } = await createSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    await alice.open(comeback)
    expect(listTransactionCookies(alice)).toEqual([])
    expectExpiredResponseIgnored(await alice.open(comeback))
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("refuses the second use of a response whose first use failed", async () => {
    const { provider, app, alice } = await createSetup()
    const comeback = provider.approve(await alice.startSignIn(provider))
    provider.injectFaults({ token: "status-500" })
    await expectSignInRefused(await alice.open(comeback), alice, app, provider)
    provider.clearFaults()
    await expectSignInRefused(await alice.open(comeback), alice, app, provider)
    expect(provider.tokenRequests).toHaveLength(1)
  })
})

describe("tabs", () => {
  test("complete two concurrent sign-ins in one browser", async () => {
    const { provider, app, alice } = await createSetup()
    await alice.getCsrfToken() // both tabs show the sign-in page
    const authorizationUrl = await Promise.all([
      alice.startSignIn(provider),
      alice.startSignIn(provider),
    ])
    const [first, second] = authorizationUrl.map((url) => provider.approve(url))
    for (const comeback of [second!, first!]) {
      const response = await alice.open(comeback)
      expect(response.headers.get("location")).toBe("https://app.example")
    }
    expect(provider.tokenRequests).toHaveLength(2)
    expect(app.readRows("User")).toHaveLength(1)
    expect(listTransactionCookies(alice)).toEqual([])
  })

  test("each return to their own page", async () => {
    const { provider, alice } = await createSetup()
    const pages = ["/first", "/second"]
    const authorizationUrl = []
    for (const callbackUrl of pages)
      authorizationUrl.push(await alice.startSignIn(provider, { callbackUrl }))
    const landed = []
    for (const url of authorizationUrl) {
      const response = await alice.open(provider.approve(url))
      landed.push(response.headers.get("location"))
    }
    expect(landed).toEqual(["https://app.example/first", "https://app.example/second"])
  })

  test("can have a very long callback URL, within the size of a cookie", async () => {
    const { provider, alice } = await createSetup()
    const callbackUrl = `/search?q=${"x".repeat(2000)}`
    const authorizationUrl = await alice.startSignIn(provider, { callbackUrl })
    const response = await alice.open(provider.approve(authorizationUrl))
    expect(response.headers.get("location")).toBe(`https://app.example${callbackUrl}`)
    expect(alice.cookies.rejected).toEqual([])
  })

  test("can have eight pending sign-ins, of which a ninth replaces the oldest", async () => {
    const { provider, alice } = await createSetup()
    const authorizationUrl = []
    for (let tab = 0; tab < 9; tab += 1) authorizationUrl.push(await alice.startSignIn(provider))
    expect(listTransactionCookies(alice)).toHaveLength(8)
    const [oldest, ...others] = authorizationUrl.map((url) => provider.approve(url))
    assertRefused(await alice.open(oldest!))
    for (const comeback of others) {
      const response = await alice.open(comeback)
      expect(response.headers.get("location")).toBe("https://app.example")
    }
    expect(provider.tokenRequests).toHaveLength(8)
  })

  test("lose forged cookies before those of real sign-ins", async () => {
    const { provider, alice } = await createSetup()
    const authorizationUrl = await alice.startSignIn(provider)
    const [name = ""] = listTransactionCookies(alice)
    const prefix = name.slice(0, name.lastIndexOf(".") + 1)
    for (let tab = 0; tab < 8; tab += 1) {
      const forged = `${prefix}forgedforgedfor${tab}=forged; Path=/; Secure; HttpOnly`
      alice.cookies.setUnchecked("https://app.example/", forged)
    }
    await alice.startSignIn(provider)
    expect(listTransactionCookies(alice)).toContain(name)
    const response = await alice.open(provider.approve(authorizationUrl))
    expect(response.headers.get("location")).toBe("https://app.example")
  })
})
