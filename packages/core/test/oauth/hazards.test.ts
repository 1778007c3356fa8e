import { Auth, customFetch } from "@latchkey/core"
import {
  browser,
  type EndpointName,
  type Hazard,
  hazards,
  type Misbehaviour,
  type ScriptedProvider,
  scriptedProvider,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt, oauthApp } from "../support/oauth-app.ts"
import { hurried } from "../support/patience.ts"

const home = "https://app.example"
const endpoints = ["discovery", "jwks", "token", "userinfo"] as const

function caseOf(hazard: Hazard): number {
  if (hazard.startsWith("redirect")) return 81
  return hazard === "oversized" ? 83 : 82
}

/** What the log has to say of it. */
const told: Readonly<Record<Hazard, RegExp>> = {
  hang: /did not answer within 10 s/,
  endless: /did not answer within 10 s/,
  oversized: /answered with more than 1048576 bytes/,
  "network-error": /fetch failed/,
  redirect: /answered with a redirect/,
  "redirect-303": /answered with a redirect/,
  "redirect-307": /answered with a redirect/,
  "redirect-away": /answered with a redirect/,
}

/** A visitor whose sign-in gets as far as it can. */
async function attempt(
  endpoint: (typeof endpoints)[number],
  fault: Misbehaviour,
  provider: ScriptedProvider,
) {
  const at = await oauthApp(provider.asOidc({ idToken: endpoint !== "userinfo" }))
  const alice = browser(at.app)
  provider.misbehave(fault)
  const csrfToken = await alice.csrf()
  const begun = await alice.post(alice.path("signin/scripted"), { csrfToken })
  const to = new URL(begun.headers.get("location") ?? "")
  const answer = to.origin === home ? begun : await alice.open(provider.approve(to))
  return { at, alice, answer }
}

const reached = (provider: ScriptedProvider, endpoint: EndpointName) =>
  provider.requests.filter((request) => request.endpoint === endpoint)

for (const endpoint of endpoints) {
  describe(`81 82 83 the ${endpoint} endpoint`, () => {
    for (const hazard of Object.keys(hazards) as Hazard[]) {
      test(`${caseOf(hazard)} is given up: ${hazard}`, async () => {
        const limits = hazard === "hang" || hazard === "endless" ? hurried() : []
        const provider = await scriptedProvider()
        const { at, alice, answer } = await attempt(endpoint, { [endpoint]: hazard }, provider)
        await expectNothingCameOfIt(answer, alice, at, provider)
        expect(reached(provider, endpoint)).toHaveLength(1)
        expect(reached(provider, "elsewhere")).toEqual([])
        expect(at.log()).toMatch(told[hazard])
        expect(limits.filter((limit) => limit > 10_000)).toEqual([])
        provider.behave()
        expect((await alice.signIn(provider)).headers.get("location")).toBe(home)
      })
    }
  })
}

describe("82 a person who goes away", () => {
  test.each(["token", "userinfo"] as const)(
    "82 ends the wait for the %s endpoint",
    async (endpoint) => {
      const provider = await scriptedProvider()
      const at = await oauthApp(provider.asOidc({ idToken: false }))
      const gone = new AbortController()
      const leaving = (request: Request) =>
        Auth(new Request(request, { signal: gone.signal }), at.config)
      const alice = browser(leaving)
      const comeback = provider.approve(await alice.begin(provider))
      provider.answer(endpoint, ({ signal }) => {
        gone.abort(new Error("The tab was closed."))
        return new Promise((_, reject) => {
          if (signal.aborted) reject(signal.reason)
          else signal.addEventListener("abort", () => reject(signal.reason))
        })
      })
      const answer = await alice.open(comeback)
      expect(answer.headers.get("location")).toContain("error=")
      expect(reached(provider, endpoint)).toHaveLength(1)
      expect(at.rows("User")).toEqual([])
      expect(at.log()).toContain("was given up")
    },
  )
})

describe("a replaced fetch that ignores its signal", () => {
  async function deaf() {
    hurried()
    const provider = await scriptedProvider()
    const ignoring: typeof fetch = (input, init) => {
      const { signal: _, ...rest } = init ?? {}
      return provider.fetch(input, rest)
    }
    const at = await oauthApp({ ...provider.asOidc(), [customFetch]: ignoring })
    return { provider, at, alice: browser(at.app) }
  }

  test("82 does not hold the answer up", async () => {
    const { provider, at, alice } = await deaf()
    provider.misbehave({ token: "hang" })
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
  })

  test("82 is read no further when the time is over", async () => {
    const { provider, at, alice } = await deaf()
    const cancelled = new Promise<void>((cancel) => {
      const body = () => new ReadableStream({ cancel })
      provider.answer("token", () => new Response(body()))
    })
    await expectNothingCameOfIt(await alice.signIn(provider), alice, at, provider)
    await cancelled
  })
})
