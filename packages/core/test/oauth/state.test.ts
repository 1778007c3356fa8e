import { assertRefused, browser, scriptedProvider, withClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt, flowCookies, oauthApp } from "../support/oauth-app.ts"

const mallory = { sub: "mallory", email: "mallory@example.com", email_verified: true }

async function setting(secret?: string) {
  const provider = await scriptedProvider()
  const at = await oauthApp(provider.asOidc(), secret === undefined ? {} : { secret })
  return { provider, at, alice: browser(at.app) }
}

describe("state", () => {
  test("62 refuses a sign-in that another browser began, and asks the provider for nothing", async () => {
    const { provider, at, alice } = await setting()
    const stranger = browser(at.app)
    const comeback = provider.approve(await alice.begin(provider))
    await expectNothingCameOfIt(await stranger.open(comeback), stranger, at, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("62 refuses a sign-in that took longer than 15 minutes", async () => {
    const { provider, at } = await setting()
    const alice = browser(at.app, { now: () => 0 })
    const comeback = provider.approve(await alice.begin(provider))
    const answer = await withClock(Date.now() + 901_000, () => alice.open(comeback))
    assertRefused(answer)
    expect(provider.tokenRequests).toEqual([])
    expect(at.rows("User")).toEqual([])
  })

  test("62 takes a sign-in that took nearly 15 minutes", async () => {
    const { provider, alice } = await setting()
    const comeback = provider.approve(await alice.begin(provider))
    const answer = await withClock(Date.now() + 880_000, () => alice.open(comeback))
    expect(answer.headers.get("location")).toBe("https://app.example")
  })

  test("62 refuses a sign-in that a deployment with another secret began", async () => {
    const { provider, alice } = await setting()
    const other = await setting("the-secret-of-a-quite-different-deployment")
    const comeback = provider.approve(await alice.begin(provider))
    const moved = browser(other.at.app)
    for (const { raw } of alice.cookies) moved.cookies.plant("https://app.example/", raw)
    assertRefused(await moved.open(comeback))
    expect(provider.tokenRequests).toEqual([])
    expect(other.at.rows("User")).toEqual([])
  })

  test("62 refuses a state whose cookie was exchanged for that of another sign-in", async () => {
    const { provider, at, alice } = await setting()
    const comeback = provider.approve(await alice.begin(provider))
    const [name = ""] = flowCookies(alice)
    const other = browser(at.app)
    await other.begin(provider)
    const [otherName = ""] = flowCookies(other)
    const value = other.cookies.get(otherName)?.value
    alice.cookies.plant("https://app.example/", `${name}=${value}; Path=/; Secure; HttpOnly`)
    await expectNothingCameOfIt(await alice.open(comeback), alice, at, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("63 refuses an attacker's code in a browser that began nothing", async () => {
    const { provider, at, alice } = await setting()
    const attacker = browser(at.app)
    const comeback = provider.approve(await attacker.begin(provider), { user: mallory })
    const answer = await alice.open(comeback, { from: "https://evil.example" })
    await expectNothingCameOfIt(answer, alice, at, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("63 refuses an attacker's code while a sign-in runs, which then completes undisturbed", async () => {
    const { provider, at, alice } = await setting()
    const own = provider.approve(await alice.begin(provider))
    const attacker = browser(at.app)
    const planted = provider.approve(await attacker.begin(provider), { user: mallory })
    assertRefused(await alice.open(planted, { from: "https://evil.example" }))
    expect(await alice.session()).toBeNull()
    await alice.open(own)
    expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })
    expect(at.rows("User")).toHaveLength(1)
  })
})

describe("a sign-in happens once", () => {
  test("69 refuses an answer that was used already", async () => {
    const { provider, alice } = await setting()
    const comeback = provider.approve(await alice.begin(provider))
    await alice.open(comeback)
    expect(flowCookies(alice)).toEqual([])
    assertRefused(await alice.open(comeback))
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("69 refuses the second use of an answer whose first use failed", async () => {
    const { provider, at, alice } = await setting()
    const comeback = provider.approve(await alice.begin(provider))
    provider.misbehave({ token: "status-500" })
    await expectNothingCameOfIt(await alice.open(comeback), alice, at, provider)
    provider.behave()
    await expectNothingCameOfIt(await alice.open(comeback), alice, at, provider)
    expect(provider.tokenRequests).toHaveLength(1)
  })
})

describe("tabs", () => {
  test("70 completes two sign-ins that run at once in one browser", async () => {
    const { provider, at, alice } = await setting()
    await alice.csrf() // both tabs show the sign-in page
    const begun = await Promise.all([alice.begin(provider), alice.begin(provider)])
    const [first, second] = begun.map((url) => provider.approve(url))
    for (const comeback of [second!, first!]) {
      const answer = await alice.open(comeback)
      expect(answer.headers.get("location")).toBe("https://app.example")
    }
    expect(provider.tokenRequests).toHaveLength(2)
    expect(at.rows("User")).toHaveLength(1)
    expect(flowCookies(alice)).toEqual([])
  })

  test("70 returns each tab to the page that it came from", async () => {
    const { provider, alice } = await setting()
    const pages = ["/first", "/second"]
    const begun = []
    for (const callbackUrl of pages) begun.push(await alice.begin(provider, { callbackUrl }))
    const landed = []
    for (const url of begun) {
      const answer = await alice.open(provider.approve(url))
      landed.push(answer.headers.get("location"))
    }
    expect(landed).toEqual(["https://app.example/first", "https://app.example/second"])
  })

  test("70 remembers even a very long address, within what a cookie holds", async () => {
    const { provider, alice } = await setting()
    const callbackUrl = `/search?q=${"x".repeat(2000)}`
    const begun = await alice.begin(provider, { callbackUrl })
    const answer = await alice.open(provider.approve(begun))
    expect(answer.headers.get("location")).toBe(`https://app.example${callbackUrl}`)
    expect(alice.cookies.rejected).toEqual([])
  })

  test("70 keeps eight sign-ins alive and drops the oldest for a ninth", async () => {
    const { provider, alice } = await setting()
    const begun = []
    for (let tab = 0; tab < 9; tab += 1) begun.push(await alice.begin(provider))
    expect(flowCookies(alice)).toHaveLength(8)
    const [oldest, ...others] = begun.map((url) => provider.approve(url))
    assertRefused(await alice.open(oldest!))
    for (const comeback of others) {
      const answer = await alice.open(comeback)
      expect(answer.headers.get("location")).toBe("https://app.example")
    }
    expect(provider.tokenRequests).toHaveLength(8)
  })

  test("70 drops what is not a sign-in of its own before one that is", async () => {
    const { provider, alice } = await setting()
    const begun = await alice.begin(provider)
    const [name = ""] = flowCookies(alice)
    const prefix = name.slice(0, name.lastIndexOf(".") + 1)
    for (let tab = 0; tab < 8; tab += 1) {
      const forged = `${prefix}forgedforgedfor${tab}=forged; Path=/; Secure; HttpOnly`
      alice.cookies.plant("https://app.example/", forged)
    }
    await alice.begin(provider)
    expect(flowCookies(alice)).toContain(name)
    const answer = await alice.open(provider.approve(begun))
    expect(answer.headers.get("location")).toBe("https://app.example")
  })
})
