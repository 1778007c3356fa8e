import { allowInsecureRequests, customFetch } from "@latchkey/core"
import type { OIDCConfig } from "@latchkey/core/providers"
import { createScriptedProvider, getRedirectError, type ScriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createTestApp, type TestAppConfig } from "../support/test-app.ts"

// Symbols as another library makes them: nothing but their descriptions is known of them.
const foreignFetch = Symbol("custom-fetch")
const foreignConform = Symbol("conform-internal")

const unusedFetch: typeof fetch = () => Promise.reject(new TypeError("this fetch must not be used"))

/** A provider object as an application writes it, without a `fetch`. */
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

describe("a `fetch` under a symbol of the predecessor", () => {
  test("is used, in a provider object and in its options", async () => {
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

  test("gives way to one under our own", async () => {
    const { work, object } = await createProviderObject()
    const provider = { ...object, [foreignFetch]: unusedFetch, [customFetch]: work.fetch }
    expect(await signInAndReadName(work, provider)).toBe("Ada Lovelace")
  })

  test("of a marked object is not the application's, and is not used", async () => {
    const { work, object } = await createProviderObject()
    const marked = { ...object, [foreignConform]: true, [foreignFetch]: unusedFetch }
    const provider = { ...marked, options: { clientId: work.clientId, [foreignFetch]: work.fetch } }
    expect(await signInAndReadName(work, provider)).toBe("Ada Lovelace")
  })

  test("is known by its own description only", async () => {
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

describe("a marked object of Apple", () => {
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

  test("gets the name that comes beside the code; another object does not", async () => {
    const user = { name: { firstName: "Ada", lastName: "Lovelace" } }
    expect(await answered({ [foreignConform]: true }, JSON.stringify(user))).toEqual([user])
    expect(await answered({}, JSON.stringify(user))).toEqual([undefined])
  })

  test("signs in all the same when that cannot be read", async () => {
    expect(await answered({ [foreignConform]: true }, "{")).toEqual([undefined])
  })
})

describe("a switch of the predecessor for framework packages", () => {
  test.each(["raw", "skipCSRFCheck"])("`%s` refuses every request, and says why", async (name) => {
    const switched = { [name]: Symbol(name) } as Partial<TestAppConfig>
    const { handle, log } = createTestApp(switched)
    const response = await handle(new Request("https://app.example/auth/session"))
    expect(response.status).toBe(500)
    expect(log.toText()).toContain(`\`${name}\` to be the symbol of @latchkey/core`)
  })
})
