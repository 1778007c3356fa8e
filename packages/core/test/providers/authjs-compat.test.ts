import { allowInsecureRequests, customFetch } from "@latchkey/core"
import type { OIDCConfig } from "@latchkey/core/providers"
import { createScriptedProvider, getRedirectError, type ScriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createTestApp, type TestAppConfig } from "../support/test-app.ts"

// Symbols like those of Auth.js, of which only the descriptions are known.
const foreignFetch = Symbol("custom-fetch")
const foreignConform = Symbol("conform-internal")

const unusedFetch: typeof fetch = () => Promise.reject(new TypeError("this fetch must not be used"))

/** A provider object without a `fetch`. */
async function createProviderObject(
  id = "work",
): Promise<{ work: ScriptedProvider; object: OIDCConfig }> {
  const work = await createScriptedProvider({ id })
  const { [customFetch]: _, ...object } = work.asOidc()
  return { work, object }
}

async function signInAndReadName(work: ScriptedProvider, provider: OIDCConfig) {
  const browser = createTestApp({ providers: [provider] }).openBrowser()
  await browser.signIn(work)
  return (await browser.getSession())?.user?.name
}

describe("a `fetch` under the symbol of Auth.js", () => {
  test("is used in a provider object and in its options", async () => {
    const { work, object } = await createProviderObject()
    for (const provider of [
      { ...object, [foreignFetch]: work.fetch },
      { ...object, options: { clientId: work.clientId, [foreignFetch]: work.fetch } },
      {
        ...object,
        [foreignFetch]: unusedFetch,
        options: { clientId: work.clientId, [foreignFetch]: work.fetch },
      },
    ]) {
      expect(await signInAndReadName(work, provider)).toBe("Ada Lovelace")
    }
  })

  test("is overridden by one under the symbol of this library", async () => {
    const { work, object } = await createProviderObject()
    const provider = { ...object, [foreignFetch]: unusedFetch, [customFetch]: work.fetch }
    expect(await signInAndReadName(work, provider)).toBe("Ada Lovelace")
  })

  test("is not used on a marked object, where Auth.js set it", async () => {
    const { work, object } = await createProviderObject()
    const marked = { ...object, [foreignConform]: true, [foreignFetch]: unusedFetch }
    const provider = { ...marked, options: { clientId: work.clientId, [foreignFetch]: work.fetch } }
    expect(await signInAndReadName(work, provider)).toBe("Ada Lovelace")
  })

  test("is recognised by its description only", async () => {
    const { work, object } = await createProviderObject()
    const others = {
      [Symbol("fetch")]: unusedFetch,
      [Symbol()]: unusedFetch,
      [allowInsecureRequests]: false,
    }
    const provider = { ...object, ...others, [foreignFetch]: work.fetch }
    expect(await signInAndReadName(work, provider)).toBe("Ada Lovelace")
  })
})

describe("a marked provider object of Apple", () => {
  const claims = { sub: "001.7", email: "ada@example.com" }

  async function answered(marks: object, user: string) {
    const issuer = "https://appleid.apple.com"
    const apple = await createScriptedProvider({ id: "apple", issuer, user: claims })
    const seen: unknown[] = []
    const provider = {
      ...apple.asOidc({ authorization: { params: { response_mode: "form_post" } } }),
      ...marks,
      profile: (profile: Record<string, unknown>) => {
        seen.push(profile["user"])
        return { id: String(profile["sub"]) }
      },
    }
    const browser = createTestApp({ providers: [provider] }).openBrowser()
    const comeback = apple.approve(await browser.startSignIn("apple"))
    comeback.parameters.set("user", user)
    expect(getRedirectError(await browser.open(comeback))).toBeNull()
    return seen
  }

  test("receives the name that Apple sends with the code, unlike other objects", async () => {
    const user = { name: { firstName: "Ada", lastName: "Lovelace" } }
    expect(await answered({ [foreignConform]: true }, JSON.stringify(user))).toEqual([user])
    expect(await answered({}, JSON.stringify(user))).toEqual([undefined])
  })

  test("signs in even if the name cannot be parsed", async () => {
    expect(await answered({ [foreignConform]: true }, "{")).toEqual([undefined])
  })
})

describe("an Auth.js symbol for framework packages", () => {
  test.each(["raw", "skipCSRFCheck"])("refuses every request with an error: %s", async (name) => {
    const switched = { [name]: Symbol(name) } as Partial<TestAppConfig>
    const { handle, log } = createTestApp(switched)
    const response = await handle(new Request("https://app.example/auth/session"))
    expect(response.status).toBe(500)
    expect(log.toText()).toContain(`\`${name}\` to be the symbol of @latchkey/core`)
  })
})

describe("an object for LinkedIn, whose ID tokens lack the nonce", () => {
  /** Signs in at a provider that announces no PKCE and ignores the nonce. */
  async function signInWithoutNonce(issuer: string) {
    const work = await createScriptedProvider({ issuer })
    work.injectFaults({
      discovery: (honest) => ({ ...honest, code_challenge_methods_supported: undefined }),
      idToken: ({ claims }) => void delete claims["nonce"],
    })
    const provider = work.asOidc({ checks: ["state"] as const })
    const browser = createTestApp({ providers: [provider] }).openBrowser()
    return { work, response: await browser.signIn(work), session: await browser.getSession() }
  }

  test("signs in without one", async () => {
    const { work, session } = await signInWithoutNonce("https://www.linkedin.com/oauth")
    expect(work.authorizationRequests.map((request) => request.has("nonce"))).toEqual([false])
    expect(session?.user).toMatchObject({ name: "Ada Lovelace" })
  })

  test("is the only kind that signs in without one", async () => {
    const { response, session } = await signInWithoutNonce("https://www.linkedin.com.example/oauth")
    expect(getRedirectError(response)).not.toBeNull()
    expect(session).toBeNull()
  })
})
