/** Whom passkeys are for: one host, a domain, several websites. */
import type { RelyingPartyOptions } from "@latchkey/core/providers"
import { assertRefused, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { passkeyHouse } from "../support/passkey-house.ts"

const com = "https://www.example.com"
const org = "https://example.org"

const both: RelyingPartyOptions = {
  id: ["example.com", "example.org"],
  name: ["Example", "Example Organisation"],
  origin: [com, org],
}

async function at(origin: string, relayingParty?: RelyingPartyOptions) {
  const house = await passkeyHouse({}, relayingParty ? { relayingParty } : {})
  return { ...house, ada: house.person(undefined, { origin }) }
}

describe("without a relying party, it is the host of the request", () => {
  test.each([
    ["https://app.example", { id: "app.example", name: "app.example" }],
    ["https://app.example:8443", { id: "app.example", name: "app.example:8443" }],
    ["http://localhost:3000", { id: "localhost", name: "localhost:3000" }],
  ])("%s", async (origin, party) => {
    const { ada } = await at(origin)
    const asked = await ada.ask({ action: "register", email: "ada@example.com" })
    expect(asked.options?.rp).toEqual(party)
    expect(errorOf(await ada.register("ada@example.com"))).toBeNull()
    expect(errorOf(await ada.signIn())).toBeNull()
  })

  test("a domain above it, and a name, can be given alone", async () => {
    const { ada } = await at(com, { id: "example.com", name: "Example" })
    const asked = await ada.ask({ action: "register", email: "ada@example.com" })
    expect(asked.options?.rp).toEqual({ id: "example.com", name: "Example" })
    expect(errorOf(await ada.register("ada@example.com"))).toBeNull()
  })
})

describe("several websites", () => {
  test.each([
    [com, { id: "example.com", name: "Example" }],
    [org, { id: "example.org", name: "Example Organisation" }],
  ])("%s has its own id and name", async (origin, party) => {
    const { ada } = await at(origin, both)
    const asked = await ada.ask({ action: "register", email: "ada@example.com" })
    expect(asked.options?.rp).toEqual(party)
    expect(errorOf(await ada.register("ada@example.com"))).toBeNull()
    expect((await ada.ask({ action: "authenticate" })).options?.rpId).toBe(party.id)
    expect(errorOf(await ada.signIn())).toBeNull()
  })

  test("a passkey of one is worth nothing at the other", async () => {
    const house = await passkeyHouse({}, { relayingParty: both })
    const ada = house.person(undefined, { origin: com })
    await ada.register("ada@example.com")
    const elsewhere = house.person(ada.device, { origin: org })
    const answer = await elsewhere.signIn({ rpId: "example.org" }).catch((error) => error)
    // The device has none for it; and with one that is made to fit, the server says no.
    expect(answer).toBeInstanceOf(DOMException)
    const asked = await elsewhere.ask({ action: "authenticate" })
    const own = { ...asked, options: { ...asked.options!, rpId: "example.com" } }
    for (const twist of [{}, { rpId: "example.org", origin: com }, { rpId: "example.com" }]) {
      const data = await elsewhere.answer(own, twist)
      const refused = await elsewhere.send("authenticate", data)
      assertRefused(refused, { origin: org })
      expect(errorOf(refused)).toBe("WebAuthnVerificationError")
      own.options = (await elsewhere.ask({ action: "authenticate" })).options!
      own.options = { ...own.options, rpId: "example.com" }
    }
  })

  test("a third one gets no options, and the log says why", async () => {
    const { ada, log } = await at("https://example.net", both)
    const answer = await ada.browser.fetch("/auth/webauthn-options/passkey")
    assertRefused(answer, { origin: "https://example.net", cookies: /csrf|callback/ })
    expect(log.text()).toContain("https://example.net")
  })

  test("of one domain share its passkeys; each approves for itself", async () => {
    const relayingParty = {
      id: "example.com",
      name: "Example",
      origin: [com, "https://beds.example.com"],
    }
    const house = await passkeyHouse({}, { relayingParty })
    const ada = house.person(undefined, { origin: com })
    await ada.register("ada@example.com")
    const elsewhere = house.person(ada.device, { origin: "https://beds.example.com" })
    expect(errorOf(await elsewhere.signIn())).toBeNull()
    const stolen = await ada.signIn({ origin: "https://beds.example.com" })
    expect(errorOf(stolen)).toBe("WebAuthnVerificationError")
  })

  test("a native application's origin is one of them", async () => {
    const app = "android:apk-key-hash:MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI"
    const relayingParty = { id: "example.com", name: "Example", origin: [com, app] }
    const { ada } = await at(com, relayingParty)
    expect(errorOf(await ada.register("ada@example.com", { origin: app }))).toBeNull()
    expect(errorOf(await ada.signIn({ origin: app }))).toBeNull()
    expect(errorOf(await ada.signIn({ origin: `${app}x` }))).toBe("WebAuthnVerificationError")
  })
})

test("a single relying party holds whatever the host of the request is called", async () => {
  const { ada } = await at("http://internal:8080", {
    id: "example.com",
    name: "Example",
    origin: com,
  })
  expect((await ada.ask({ action: "authenticate" })).options?.rpId).toBe("example.com")
  expect(errorOf(await ada.register("ada@example.com", { origin: com }))).toBeNull()
  expect(errorOf(await ada.signIn())).toBe("WebAuthnVerificationError")
})

test("an application decides by request", async () => {
  const house = await passkeyHouse(
    {},
    {
      getRelayingParty: ({ url }) => ({
        id: "example.com",
        name: `Example at ${url.hostname}`,
        origin: [com, url.origin],
      }),
    },
  )
  const ada = house.person(undefined, { origin: "https://beds.example.com" })
  const asked = await ada.ask({ action: "register", email: "ada@example.com" })
  expect(asked.options?.rp).toEqual({ id: "example.com", name: "Example at beds.example.com" })
  expect(errorOf(await ada.register("ada@example.com"))).toBeNull()
})
