import { allowInsecureRequests, customFetch } from "@latchkey/core"
import type { OIDCConfig } from "@latchkey/core/providers"
import { errorOf, type ScriptedProvider, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { type ApplicationConfig, application } from "../support/application.ts"

// Symbols as another library makes them: nothing but their descriptions is known of them.
const foreignFetch = Symbol("custom-fetch")
const vendor = Symbol("conform-internal")

const never: typeof fetch = () => Promise.reject(new TypeError("this fetch must not be used"))

/** A provider object as an application writes it, without a `fetch`. */
async function plain(id = "work"): Promise<{ work: ScriptedProvider; object: OIDCConfig }> {
  const work = await scriptedProvider({ id })
  const { [customFetch]: _, ...object } = work.asOidc()
  return { work, object }
}

async function nameAfterSignIn(work: ScriptedProvider, provider: OIDCConfig) {
  const visitor = application({ providers: [provider] }).visitor()
  await visitor.signIn(work)
  return (await visitor.session())?.user?.name
}

describe("a `fetch` under a symbol of the predecessor", () => {
  test("is used, in a provider object and in its options", async () => {
    const { work, object } = await plain()
    for (const provider of [
      { ...object, [foreignFetch]: work.fetch },
      { ...object, options: { clientId: work.clientId, [foreignFetch]: work.fetch } },
      {
        ...object,
        [foreignFetch]: never,
        options: { clientId: work.clientId, [foreignFetch]: work.fetch },
      },
    ]) {
      expect(await nameAfterSignIn(work, provider)).toBe("Ada Lovelace")
    }
  })

  test("gives way to one under our own", async () => {
    const { work, object } = await plain()
    const provider = { ...object, [foreignFetch]: never, [customFetch]: work.fetch }
    expect(await nameAfterSignIn(work, provider)).toBe("Ada Lovelace")
  })

  test("of a marked object is not the application's, and is not used", async () => {
    const { work, object } = await plain()
    const marked = { ...object, [vendor]: true, [foreignFetch]: never }
    const provider = { ...marked, options: { clientId: work.clientId, [foreignFetch]: work.fetch } }
    expect(await nameAfterSignIn(work, provider)).toBe("Ada Lovelace")
  })

  test("is known by its own description only", async () => {
    const { work, object } = await plain()
    const others = { [Symbol("fetch")]: never, [Symbol()]: never, [allowInsecureRequests]: false }
    const provider = { ...object, ...others, [foreignFetch]: work.fetch }
    expect(await nameAfterSignIn(work, provider)).toBe("Ada Lovelace")
  })
})

describe("a marked object of Apple", () => {
  const claims = { sub: "001.7", email: "ada@example.com" }

  async function answered(marks: object, user: string) {
    const issuer = "https://appleid.apple.com"
    const apple = await scriptedProvider({ id: "apple", issuer, user: claims })
    const seen: unknown[] = []
    const provider = {
      ...apple.asOidc({ authorization: { params: { response_mode: "form_post" } } }),
      ...marks,
      profile: (profile: Record<string, unknown>) => {
        seen.push(profile["user"])
        return { id: String(profile["sub"]) }
      },
    }
    const visitor = application({ providers: [provider] }).visitor()
    const comeback = apple.approve(await visitor.begin("apple"))
    comeback.parameters.set("user", user)
    expect(errorOf(await visitor.open(comeback))).toBeNull()
    return seen
  }

  test("gets the name that comes beside the code; another object does not", async () => {
    const user = { name: { firstName: "Ada", lastName: "Lovelace" } }
    expect(await answered({ [vendor]: true }, JSON.stringify(user))).toEqual([user])
    expect(await answered({}, JSON.stringify(user))).toEqual([undefined])
  })

  test("signs in all the same when that cannot be read", async () => {
    expect(await answered({ [vendor]: true }, "{")).toEqual([undefined])
  })
})

describe("a switch of the predecessor for framework packages", () => {
  test.each(["raw", "skipCSRFCheck"])("`%s` refuses every request, and says why", async (name) => {
    const switched = { [name]: Symbol(name) } as Partial<ApplicationConfig>
    const { handle, log } = application(switched)
    const answer = await handle(new Request("https://app.example/auth/session"))
    expect(answer.status).toBe(500)
    expect(log.text()).toContain(`\`${name}\` to be the symbol of @latchkey/core`)
  })
})
