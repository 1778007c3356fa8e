import { assertRefused, createScriptedProvider, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasswordApp, password, secret } from "../support/password-app.ts"

const siteOrigin = "https://app.example"

/** Headers that say that another site made the request, or do not say that this one did. */
const crossSiteHeaders: [string, Record<string, string>][] = [
  ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }],
  ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }],
  ["an unknown Sec-Fetch-Site", { "sec-fetch-site": "elsewhere" }],
  ["an empty Sec-Fetch-Site", { "sec-fetch-site": "" }],
  ["two values of Sec-Fetch-Site", { "sec-fetch-site": "same-origin, cross-site" }],
  [
    "a foreign Sec-Fetch-Site and the own Origin",
    { "sec-fetch-site": "cross-site", origin: siteOrigin },
  ],
  ["a foreign Origin", { origin: "https://evil.example" }],
  ["Origin: null", { origin: "null" }],
  ["an empty Origin", { origin: "" }],
  ["the own host over http", { origin: "http://app.example" }],
  ["the own host with another port", { origin: "https://app.example:8443" }],
  ["a host that begins with the own one", { origin: "https://app.example.evil.example" }],
  ["the own origin with a path", { origin: "https://app.example/" }],
]

/** Headers of requests that are the site's own, or of clients that tell nothing. */
const sameOriginHeaders: [string, Record<string, string>][] = [
  ["Sec-Fetch-Site: same-origin", { "sec-fetch-site": "same-origin" }],
  ["Sec-Fetch-Site: none", { "sec-fetch-site": "none" }],
  [
    "Sec-Fetch-Site: same-origin behind a proxy",
    { "sec-fetch-site": "same-origin", origin: "http://10.0.0.1" },
  ],
  ["the own Origin", { origin: siteOrigin }],
  ["neither header", {}],
]

const formEndpoints: [string, string, Record<string, string>][] = [
  ["sign-in", "signin/scripted", {}],
  ["sign-out", "signout", {}],
  ["session update", "session", { data: "new" }],
  ["credentials", "callback/credentials", { name: "bob", password }],
]

/** A form with the right token and cookies, sent with exactly these headers. */
function submitForm(
  browser: TestBrowser,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string>,
) {
  const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const body = new URLSearchParams(fields)
  return browser.app(
    new Request(`${siteOrigin}/auth/${path}`, {
      method: "POST",
      headers: { ...headers, cookie },
      body,
    }),
  )
}

async function createAppWithProvider() {
  const provider = await createScriptedProvider()
  const base = createPasswordApp()
  return createPasswordApp({ providers: [...base.config.providers, provider.asOidc()], secret })
}

describe.each(formEndpoints)("a %s form with the right token", (_, path, fields) => {
  test.each(crossSiteHeaders)("is refused with %s", async (_name, headers) => {
    const alice = await (await createAppWithProvider()).openSignedInBrowser()
    const csrfToken = await alice.getCsrfToken()
    const response = await submitForm(alice, path, { ...fields, csrfToken }, headers)
    assertRefused(response)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test.each(sameOriginHeaders)("is accepted with %s", async (_name, headers) => {
    const alice = await (await createAppWithProvider()).openSignedInBrowser()
    const csrfToken = await alice.getCsrfToken()
    const response = await submitForm(alice, path, { ...fields, csrfToken }, headers)
    expect(() => assertRefused(response)).toThrow()
  })
})

describe("the attacker's CSRF cookie in the victim's browser", () => {
  /** Mallory signs in as herself; her pair gets into Alice's browser, say from a sub-domain. */
  async function victim(mallorySignedIn: boolean) {
    const app = await createAppWithProvider()
    const mallory = mallorySignedIn ? await app.openSignedInBrowser("mallory") : app.openBrowser()
    const csrfToken = await mallory.getCsrfToken()
    const alice = await app.openSignedInBrowser("ada")
    const pair = mallory.cookies.get("__Host-authjs.csrf-token")
    alice.cookies.delete("__Host-authjs.csrf-token")
    alice.cookies.setUnchecked(siteOrigin, pair?.raw ?? "")
    return { alice, csrfToken }
  }

  test.each([true, false])(
    "does not sign the victim out (Mallory signed in: %s)",
    async (signedIn) => {
      const { alice, csrfToken } = await victim(signedIn)
      // Even if the browser sends nothing about the origin of the form.
      assertRefused(await submitForm(alice, "signout", { csrfToken }, {}))
      expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    },
  )

  test.each([true, false])(
    "does not update the victim's session (signed in: %s)",
    async (signedIn) => {
      const { alice, csrfToken } = await victim(signedIn)
      const response = await submitForm(alice, "session", { csrfToken, data: "x" }, {})
      assertRefused(response)
    },
  )

  test("does not sign the victim in as Mallory from Mallory's page", async () => {
    const { alice, csrfToken } = await victim(false)
    const fields = { csrfToken, name: "mallory", password }
    const from = "https://evil.example"
    assertRefused(await alice.post("/auth/callback/credentials", fields, { from }))
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })
})

test("another site cannot act with the victim's cookies, whatever the browser sends", async () => {
  const app = await createAppWithProvider()
  const alice = await app.openSignedInBrowser()
  const from = "https://evil.example"
  for (const [, path] of formEndpoints) {
    const token = await alice.getCsrfToken()
    assertRefused(await alice.post(`/auth/${path}`, { csrfToken: token }, { from }))
  }
  expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
})
