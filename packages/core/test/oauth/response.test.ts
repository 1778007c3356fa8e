import { inspect } from "node:util"
import {
  assertRefused,
  browser,
  errorOf,
  type HostileResponse,
  hostileResponses,
  scriptedProvider,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt, flowCookies, oauthApp } from "../support/oauth-app.ts"

/** Which case of the catalogue an answer belongs to. */
function caseOf(fault: HostileResponse): number {
  if (fault.startsWith("state")) return 62
  return fault.startsWith("iss") ? 66 : 67
}

describe("an answer by way of the browser", () => {
  const faults = Object.keys(hostileResponses) as HostileResponse[]
  for (const fault of faults) {
    test(`${caseOf(fault)} refuses it before the token request: ${fault}`, async () => {
      const provider = await scriptedProvider()
      const at = await oauthApp(provider.asOidc())
      const alice = browser(at.app)
      provider.misbehave({ response: fault })
      const answer = await alice.signIn(provider)
      expect(provider.tokenRequests).toEqual([])
      // Without its state, nobody knows whose cookie it is: that one ends by itself.
      if (fault === "state-missing" || fault === "state-other") {
        assertRefused(answer)
        expect(await alice.session()).toBeNull()
        expect(at.rows("User")).toEqual([])
      } else await expectNothingCameOfIt(answer, alice, at, provider)
    })
  }

  test("66 takes one without iss from a provider that announces none", async () => {
    const provider = await scriptedProvider()
    const alice = browser((await oauthApp(provider.asOidc())).app)
    provider.misbehave({ discovery: "minimal", response: (parameters) => parameters.delete("iss") })
    const answer = await alice.signIn(provider)
    expect(answer.headers.get("location")).toBe("https://app.example")
  })

  test("66 refuses a foreign iss from a provider that announces none", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc())
    const alice = browser(at.app)
    provider.misbehave({ discovery: "minimal", response: "iss-other" })
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("66 looks at iss for type oauth too, where an issuer is configured", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOAuth())
    const alice = browser(at.app)
    provider.misbehave({ response: "iss-other" })
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
    expect(provider.tokenRequests).toEqual([])
  })

  test("67 refuses two codes of which one is right, in any order", async () => {
    for (const turned of [false, true]) {
      const provider = await scriptedProvider()
      const at = await oauthApp(provider.asOidc())
      const alice = browser(at.app)
      const { url, parameters } = provider.approve(await alice.begin(provider))
      const codes = [parameters.get("code") ?? "", "another"]
      parameters.delete("code")
      for (const code of turned ? codes.reverse() : codes) parameters.append("code", code)
      await expectNothingCameOfIt(await alice.open(url), alice, at, provider)
      expect(provider.tokenRequests).toEqual([])
    }
  })
})

describe("an error of the provider", () => {
  const denial = {
    error: "access_denied",
    error_description: "Ada was not in the mood <b>today</b>",
  }

  test("68 leads to the sign-in page, without the provider's words", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc())
    const alice = browser(at.app)
    const answer = await alice.open(provider.deny(await alice.begin(provider), denial))
    await expectNothingCameOfIt(answer, alice, at, provider)
    expect(answer.headers.get("location")).toBe(
      "https://app.example/auth/signin?error=OAuthCallbackError",
    )
    const page = await (await alice.follow(answer)).text()
    expect(page).not.toContain("in the mood")
    expect(provider.tokenRequests).toEqual([])
  })

  test("68 is told to the log, with the provider's words and the provider's id", async () => {
    const provider = await scriptedProvider()
    const errors: unknown[][] = []
    const logger = { error: (...line: unknown[]) => void errors.push(line), warn: () => undefined }
    const at = await oauthApp(provider.asOidc(), { logger })
    const alice = browser(at.app)
    await alice.open(provider.deny(await alice.begin(provider), denial))
    expect(errors).toHaveLength(1)
    expect(errors[0]?.[0]).toBe("OAuthCallbackError")
    const line = inspect(errors[0], { depth: null })
    expect(line).toContain("access_denied")
    expect(line).toContain("Ada was not in the mood")
    expect(line).toContain("scripted")
  })

  test("68 cannot put a line of its own into the log", async () => {
    const provider = await scriptedProvider()
    const lines: string[] = []
    const note = (...line: unknown[]) => void lines.push(JSON.stringify(line))
    const at = await oauthApp(provider.asOidc(), { logger: { error: note, warn: note } })
    const alice = browser(at.app)
    const forged = { error: "oops\n[auth][error] forged", error_description: "a\r\nb\u001b[2J" }
    await alice.open(provider.deny(await alice.begin(provider), forged))
    const texts = lines.map((line): unknown => JSON.parse(line))
    const flat = inspect(texts, { depth: null, breakLength: Infinity, compact: true })
    expect(flat).toContain("oops")
    expect(flat).not.toMatch(/oops\\n|a\\r|\\x1b/)
  })

  test("68 goes to the page that the application has for it", async () => {
    const provider = await scriptedProvider()
    const at = await oauthApp(provider.asOidc(), { pages: { signIn: "/welcome" } })
    const alice = browser(at.app)
    const answer = await alice.open(provider.deny(await alice.begin(provider), denial))
    expect(new URL(answer.headers.get("location") ?? "").pathname).toBe("/welcome")
    expect(errorOf(answer)).toBe("OAuthCallbackError")
    expect(flowCookies(alice)).toEqual([])
  })
})
