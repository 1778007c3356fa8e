/** Relying parties: one host, a domain, several websites. */
import type { RelyingPartyOptions } from "@latchkey/core/providers"
import { assertRefused, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasskeyApp } from "../support/passkey-app.ts"
import type { TestAppConfig } from "../support/test-app.ts"

const comOrigin = "https://www.example.com"
const orgOrigin = "https://example.org"

const twoRelyingParties: RelyingPartyOptions = {
  id: ["example.com", "example.org"],
  name: ["Example", "Example Organisation"],
  origin: [comOrigin, orgOrigin],
}

async function openAt(
  origin: string,
  relayingParty?: RelyingPartyOptions,
  changes: Partial<TestAppConfig> = {},
) {
  const app = await createPasskeyApp(changes, relayingParty ? { relayingParty } : {})
  return { ...app, ada: app.openPasskeyBrowser(undefined, { origin }) }
}

describe("without a relying party, the host of the request is used", () => {
  test.each([
    ["https://app.example", { id: "app.example", name: "app.example" }],
    ["https://app.example:8443", { id: "app.example", name: "app.example:8443" }],
    ["http://localhost:3000", { id: "localhost", name: "localhost:3000" }],
  ])("%s", async (origin, party) => {
    const { ada } = await openAt(origin)
    const asked = await ada.requestOptions({ action: "register", email: "ada@example.com" })
    expect(asked.options?.rp).toEqual(party)
    expect(getRedirectError(await ada.register("ada@example.com"))).toBeNull()
    expect(getRedirectError(await ada.signIn())).toBeNull()
  })

  test("a parent domain and a name can be set separately", async () => {
    const trustHost = ["www.example.com"]
    const { ada } = await openAt(comOrigin, { id: "example.com", name: "Example" }, { trustHost })
    const asked = await ada.requestOptions({ action: "register", email: "ada@example.com" })
    expect(asked.options?.rp).toEqual({ id: "example.com", name: "Example" })
    expect(getRedirectError(await ada.register("ada@example.com"))).toBeNull()
  })
})

describe("several websites", () => {
  test.each([
    [comOrigin, { id: "example.com", name: "Example" }],
    [orgOrigin, { id: "example.org", name: "Example Organisation" }],
  ])("%s has its own id and name", async (origin, party) => {
    const { ada } = await openAt(origin, twoRelyingParties)
    const asked = await ada.requestOptions({ action: "register", email: "ada@example.com" })
    expect(asked.options?.rp).toEqual(party)
    expect(getRedirectError(await ada.register("ada@example.com"))).toBeNull()
    expect((await ada.requestOptions({ action: "authenticate" })).options?.rpId).toBe(party.id)
    expect(getRedirectError(await ada.signIn())).toBeNull()
  })

  test("a passkey of one is invalid at another", async () => {
    const app = await createPasskeyApp({}, { relayingParty: twoRelyingParties })
    const ada = app.openPasskeyBrowser(undefined, { origin: comOrigin })
    await ada.register("ada@example.com")
    const elsewhere = app.openPasskeyBrowser(ada.device, { origin: orgOrigin })
    const response = await elsewhere.signIn({ rpId: "example.org" }).catch((error) => error)
    // The authenticator has no passkey for it, and the server rejects one that is made to fit.
    expect(response).toBeInstanceOf(DOMException)
    const asked = await elsewhere.requestOptions({ action: "authenticate" })
    const own = { ...asked, options: { ...asked.options!, rpId: "example.com" } }
    for (const twist of [{}, { rpId: "example.org", origin: comOrigin }, { rpId: "example.com" }]) {
      const data = await elsewhere.createResponse(own, twist)
      const refused = await elsewhere.sendResponse("authenticate", data)
      assertRefused(refused, { origin: orgOrigin })
      expect(getRedirectError(refused)).toBe("WebAuthnVerificationError")
      own.options = (await elsewhere.requestOptions({ action: "authenticate" })).options!
      own.options = { ...own.options, rpId: "example.com" }
    }
  })

  test("an unknown one gets no options, and the log says why", async () => {
    const { ada, log } = await openAt("https://example.net", twoRelyingParties)
    const response = await ada.browser.fetch("/auth/webauthn-options/passkey")
    assertRefused(response, { origin: "https://example.net", allowedCookies: /csrf|callback/ })
    expect(log.toText()).toContain("https://example.net")
  })

  test("on one domain share its passkeys, and each accepts only its own origin", async () => {
    const relayingParty = {
      id: "example.com",
      name: "Example",
      origin: [comOrigin, "https://beds.example.com"],
    }
    const app = await createPasskeyApp({}, { relayingParty })
    const ada = app.openPasskeyBrowser(undefined, { origin: comOrigin })
    await ada.register("ada@example.com")
    const elsewhere = app.openPasskeyBrowser(ada.device, { origin: "https://beds.example.com" })
    expect(getRedirectError(await elsewhere.signIn())).toBeNull()
    const stolen = await ada.signIn({ origin: "https://beds.example.com" })
    expect(getRedirectError(stolen)).toBe("WebAuthnVerificationError")
  })

  test("can include the origin of a native application", async () => {
    const app = "android:apk-key-hash:MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI"
    const relayingParty = { id: "example.com", name: "Example", origin: [comOrigin, app] }
    const { ada } = await openAt(comOrigin, relayingParty)
    expect(getRedirectError(await ada.register("ada@example.com", { origin: app }))).toBeNull()
    expect(getRedirectError(await ada.signIn({ origin: app }))).toBeNull()
    expect(getRedirectError(await ada.signIn({ origin: `${app}x` }))).toBe(
      "WebAuthnVerificationError",
    )
  })
})

test("a single relying party is used for every host", async () => {
  const { ada } = await openAt("http://internal:8080", {
    id: "example.com",
    name: "Example",
    origin: comOrigin,
  })
  expect((await ada.requestOptions({ action: "authenticate" })).options?.rpId).toBe("example.com")
  expect(getRedirectError(await ada.register("ada@example.com", { origin: comOrigin }))).toBeNull()
  expect(getRedirectError(await ada.signIn())).toBe("WebAuthnVerificationError")
})

test("an application chooses the relying party for each request", async () => {
  const app = await createPasskeyApp(
    {},
    {
      getRelayingParty: ({ url }) => ({
        id: "example.com",
        name: `Example at ${url.hostname}`,
        origin: [comOrigin, url.origin],
      }),
    },
  )
  const ada = app.openPasskeyBrowser(undefined, { origin: "https://beds.example.com" })
  const asked = await ada.requestOptions({ action: "register", email: "ada@example.com" })
  expect(asked.options?.rp).toEqual({ id: "example.com", name: "Example at beds.example.com" })
  expect(getRedirectError(await ada.register("ada@example.com"))).toBeNull()
})
