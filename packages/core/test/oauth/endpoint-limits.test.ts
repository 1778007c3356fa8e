import { Auth, customFetch } from "@latchkey/core"
import {
  createScriptedProvider,
  createTestBrowser,
  type EndpointName,
  type ProviderFaults,
  type ScriptedProvider,
  type TransportFault,
  transportFaults,
} from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { speedUpTimeouts } from "../support/fast-timeouts.ts"
import { createOAuthApp, expectSignInRefused } from "../support/oauth-app.ts"

const home = "https://app.example"
const endpoints = ["discovery", "jwks", "token", "userinfo"] as const

/** What the log says for each fault. */
const expectedLog: Readonly<Record<TransportFault, RegExp>> = {
  hang: /did not answer within 10 s/,
  endless: /did not answer within 10 s/,
  oversized: /answered with more than 1048576 bytes/,
  "network-error": /fetch failed/,
  redirect: /answered with a redirect/,
  "redirect-303": /answered with a redirect/,
  "redirect-307": /answered with a redirect/,
  "redirect-away": /answered with a redirect/,
}

/** A browser whose sign-in continues until an error stops it. */
async function attemptSignIn(
  endpoint: (typeof endpoints)[number],
  fault: ProviderFaults,
  provider: ScriptedProvider,
) {
  const app = await createOAuthApp(provider.asOidc({ idToken: endpoint !== "userinfo" }))
  const alice = createTestBrowser(app.app)
  provider.injectFaults(fault)
  const csrfToken = await alice.getCsrfToken()
  const authorizationUrl = await alice.post(alice.getRoutePath("signin/scripted"), { csrfToken })
  const to = new URL(authorizationUrl.headers.get("location") ?? "")
  const response = to.origin === home ? authorizationUrl : await alice.open(provider.approve(to))
  return { app, alice, response }
}

const countRequests = (provider: ScriptedProvider, endpoint: EndpointName) =>
  provider.requests.filter((request) => request.endpoint === endpoint)

for (const endpoint of endpoints) {
  describe(`the ${endpoint} endpoint`, () => {
    for (const hazard of Object.keys(transportFaults) as TransportFault[]) {
      test(`is aborted: ${hazard}`, async () => {
        if (hazard === "hang" || hazard === "endless") speedUpTimeouts()
        const provider = await createScriptedProvider()
        const { app, alice, response } = await attemptSignIn(
          endpoint,
          { [endpoint]: hazard },
          provider,
        )
        await expectSignInRefused(response, alice, app, provider)
        expect(countRequests(provider, endpoint)).toHaveLength(1)
        expect(countRequests(provider, "elsewhere")).toEqual([])
        expect(app.readLog()).toMatch(expectedLog[hazard])
        provider.clearFaults()
        vi.unstubAllGlobals()
        expect((await alice.signIn(provider)).headers.get("location")).toBe(home)
      })
    }
  })
}

describe("a client that disconnects", () => {
  test.each(["token", "userinfo"] as const)(
    "aborts the request to the %s endpoint",
    async (endpoint) => {
      const provider = await createScriptedProvider()
      const app = await createOAuthApp(provider.asOidc({ idToken: false }))
      const gone = new AbortController()
      const leaving = (request: Request) =>
        Auth(new Request(request, { signal: gone.signal }), app.config)
      const alice = createTestBrowser(leaving)
      const comeback = provider.approve(await alice.startSignIn(provider))
      provider.overrideEndpoint(endpoint, ({ signal }) => {
        gone.abort(new Error("The tab was closed."))
        return new Promise((_, reject) => {
          if (signal.aborted) reject(signal.reason)
          else signal.addEventListener("abort", () => reject(signal.reason))
        })
      })
      const response = await alice.open(comeback)
      expect(response.headers.get("location")).toContain("error=")
      expect(countRequests(provider, endpoint)).toHaveLength(1)
      expect(app.readRows("User")).toEqual([])
      expect(app.readLog()).toContain("was aborted")
    },
  )
})

describe("a custom fetch that ignores its signal", () => {
  async function deaf() {
    speedUpTimeouts()
    const provider = await createScriptedProvider()
    const ignoring: typeof fetch = (input, init) => {
      const { signal: _, ...rest } = init ?? {}
      return provider.fetch(input, rest)
    }
    const app = await createOAuthApp({ ...provider.asOidc(), [customFetch]: ignoring })
    return { provider, app, alice: createTestBrowser(app.app) }
  }

  test("does not delay the response", async () => {
    const { provider, app, alice } = await deaf()
    provider.injectFaults({ token: "hang" })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
  })

  test("is not read any further after the timeout", async () => {
    const { provider, app, alice } = await deaf()
    const cancelled = new Promise<void>((cancel) => {
      const body = () => new ReadableStream({ cancel })
      provider.overrideEndpoint("token", () => new Response(body()))
    })
    await expectSignInRefused(await alice.signIn(provider), alice, app, provider)
    await cancelled
  })
})
