import { assertRefused, type Browser, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { password, people, secret } from "../support/people.ts"

const own = "https://app.example"

/** Headers that say that another site made the request, or do not say that this one did. */
const foreign: [string, Record<string, string>][] = [
  ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }],
  ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }],
  ["an unknown Sec-Fetch-Site", { "sec-fetch-site": "elsewhere" }],
  ["an empty Sec-Fetch-Site", { "sec-fetch-site": "" }],
  ["two values of Sec-Fetch-Site", { "sec-fetch-site": "same-origin, cross-site" }],
  ["a foreign Sec-Fetch-Site and the own Origin", { "sec-fetch-site": "cross-site", origin: own }],
  ["a foreign Origin", { origin: "https://evil.example" }],
  ["Origin: null", { origin: "null" }],
  ["an empty Origin", { origin: "" }],
  ["the own host by http", { origin: "http://app.example" }],
  ["the own host at another port", { origin: "https://app.example:8443" }],
  ["a host that begins with the own one", { origin: "https://app.example.evil.example" }],
  ["the own origin with a path", { origin: "https://app.example/" }],
]

/** Headers of requests that are the site's own, or of clients that tell nothing. */
const ownOnes: [string, Record<string, string>][] = [
  ["Sec-Fetch-Site: same-origin", { "sec-fetch-site": "same-origin" }],
  ["Sec-Fetch-Site: none", { "sec-fetch-site": "none" }],
  [
    "Sec-Fetch-Site: same-origin behind a proxy",
    { "sec-fetch-site": "same-origin", origin: "http://10.0.0.1" },
  ],
  ["the own Origin", { origin: own }],
  ["neither header", {}],
]

const doors: [string, string, Record<string, string>][] = [
  ["sign-in", "signin/scripted", {}],
  ["sign-out", "signout", {}],
  ["session update", "session", { data: "new" }],
  ["credentials", "callback/credentials", { name: "bob", password }],
]

/** A form with the right token and cookies, sent with exactly these headers. */
function submit(
  who: Browser,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string>,
) {
  const cookie = [...who.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const body = new URLSearchParams(fields)
  return who.app(
    new Request(`${own}/auth/${path}`, { method: "POST", headers: { ...headers, cookie }, body }),
  )
}

async function application() {
  const provider = await scriptedProvider()
  const base = people()
  return people({ providers: [...base.config.providers, provider.asOidc()], secret })
}

describe.each(doors)("30 a %s form with the right token", (_, path, fields) => {
  test.each(foreign)("is refused with %s", async (_name, headers) => {
    const alice = await (await application()).signedIn()
    const csrfToken = await alice.csrf()
    const answer = await submit(alice, path, { ...fields, csrfToken }, headers)
    assertRefused(answer)
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test.each(ownOnes)("is accepted with %s", async (_name, headers) => {
    const alice = await (await application()).signedIn()
    const csrfToken = await alice.csrf()
    const answer = await submit(alice, path, { ...fields, csrfToken }, headers)
    expect(() => assertRefused(answer)).toThrow()
  })
})

describe("30 the attacker's pair in the victim's browser", () => {
  /** Mallory signs in as herself; her pair gets into Alice's browser, say from a sub-domain. */
  async function victim(mallorySignedIn: boolean) {
    const app = await application()
    const mallory = mallorySignedIn ? await app.signedIn("mallory") : app.browser()
    const csrfToken = await mallory.csrf()
    const alice = await app.signedIn("ada")
    const pair = mallory.cookies.get("__Host-authjs.csrf-token")
    alice.cookies.delete("__Host-authjs.csrf-token")
    alice.cookies.plant(own, pair?.raw ?? "")
    return { alice, csrfToken }
  }

  test.each([true, false])("does not sign her out (Mallory signed in: %s)", async (signedIn) => {
    const { alice, csrfToken } = await victim(signedIn)
    // Even when the browser tells nothing of where the form comes from.
    assertRefused(await submit(alice, "signout", { csrfToken }, {}))
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })

  test.each([true, false])("does not update her session (signed in: %s)", async (signedIn) => {
    const { alice, csrfToken } = await victim(signedIn)
    const answer = await submit(alice, "session", { csrfToken, data: "x" }, {})
    assertRefused(answer)
  })

  test("does not sign her in as Mallory from Mallory's page", async () => {
    const { alice, csrfToken } = await victim(false)
    const fields = { csrfToken, name: "mallory", password }
    const from = "https://evil.example"
    assertRefused(await alice.post("/auth/callback/credentials", fields, { from }))
    expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
  })
})

test("30 another site gets nothing done with the victim's cookies, whatever the browser sends", async () => {
  const app = await application()
  const alice = await app.signedIn()
  const from = "https://evil.example"
  for (const [, path] of doors) {
    const token = await alice.csrf()
    assertRefused(await alice.post(`/auth/${path}`, { csrfToken: token }, { from }))
  }
  expect(await alice.session()).toMatchObject({ user: { name: "ada" } })
})
