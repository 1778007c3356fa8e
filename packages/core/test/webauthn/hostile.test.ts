/** Cases 124 and 125: answers that are not what they should be, each through the front door. */
import { assertRefused, softAuthenticator, type Twist } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { passkeyHouse } from "../support/passkey-house.ts"

async function withAda(...parameters: Parameters<typeof passkeyHouse>) {
  const house = await passkeyHouse(...parameters)
  const ada = house.person()
  await ada.register("ada@example.com")
  await ada.browser.signOut()
  return { ...house, ada }
}

/** All that a browser is told, but for the time of day. */
async function described(answer: Response): Promise<unknown> {
  const cookies = answer.headers.getSetCookie().map((line) => line.replace(/\.[\w-]{16}=/, ".…="))
  return {
    status: answer.status,
    location: answer.headers.get("location"),
    cookies,
    body: await answer.text(),
  }
}

const generic = {
  status: 302,
  location: "https://app.example/auth/error?error=WebAuthnVerificationError",
  cookies: [expect.stringMatching(/^__Host-authjs\.challenge\.…=; Max-Age=0;/)],
  body: "",
}

const twists: [string, Twist][] = [
  ["of another origin", { origin: "https://evil.example" }],
  ["of another port of the origin", { origin: "https://app.example:8443" }],
  ["of the origin by http", { origin: "http://app.example" }],
  ["of a host whose name begins alike", { origin: "https://app.example.evil.example" }],
  ["for another relying party", { rpId: "evil.example" }],
  ["for the domain above", { rpId: "example" }],
  ["without a type", { type: "" }],
  ["of another type", { type: "payment.get" }],
  ["without anybody there", { userPresent: false }],
  ["without the owner being checked", { userVerified: false }],
  ["from inside a page that is not named", { crossOrigin: true }],
  ["from inside another website's page", { crossOrigin: true, topOrigin: "https://evil.example" }],
  ["with a page above that is none", { crossOrigin: false, topOrigin: "https://evil.example" }],
]

describe("124 a sign-in", () => {
  test.each<[string, Twist]>([
    ...twists,
    ["with the type of a registration", { type: "webauthn.create" }],
    ["with a broken signature", { signature: "broken" }],
    ["with another key's signature", { signature: "foreign" }],
    ["with a passkey that nobody has", { credentialId: "bm9ib2R5" }],
    ["with a counter that stands still", { counter: 1 }],
    ["with a counter that runs backwards", { counter: 0 }],
  ])("124 %s is refused, with one answer for all", async (_, twist) => {
    const { ada, log, passkeys } = await withAda()
    const answer = await ada.signIn(twist)
    assertRefused(answer)
    expect(await described(answer)).toEqual(generic)
    expect(await ada.browser.session()).toBeNull()
    expect(log.errors()).toEqual(["WebAuthnVerificationError"])
    expect(passkeys()[0]?.counter).toBe(1)
  })

  test("124 with the passkey of another user in the name of one's own is refused", async () => {
    const { ada, person, passkeys } = await withAda()
    const mallory = person()
    await mallory.register("mallory@example.com")
    await mallory.browser.signOut()
    const [adas] = ada.device.passkeys
    const answer = await mallory.signIn({ credentialId: adas?.id ?? "" })
    expect(await described(answer)).toEqual(generic)
    expect(await mallory.browser.session()).toBeNull()
    expect(passkeys().map(({ counter }) => counter)).toEqual([1, 1])
  })

  test("124 with a passkey that was removed is refused", async () => {
    const { ada, adapter, rows } = await withAda()
    await adapter.deleteUser(String(rows("User")[0]?.["id"]))
    expect(await described(await ada.signIn())).toEqual(generic)
  })

  test("124 with a passkey whose account was unlinked is refused", async () => {
    const { ada, adapter, passkeys } = await withAda()
    const providerAccountId = passkeys()[0]?.credentialID ?? ""
    await adapter.unlinkAccount({ provider: "passkey", providerAccountId })
    expect(await described(await ada.signIn())).toEqual(generic)
  })

  test("124 with a passkey whose account was given to somebody else is refused", async () => {
    const { ada, adapter, passkeys, user } = await withAda()
    const providerAccountId = passkeys()[0]?.credentialID ?? ""
    const { id: userId } = await user({ email: "bob@example.com" })
    await adapter.unlinkAccount({ provider: "passkey", providerAccountId })
    const account = { provider: "passkey", type: "webauthn", providerAccountId } as const
    await adapter.linkAccount({ ...account, userId })
    expect(await described(await ada.signIn())).toEqual(generic)
    expect(await ada.browser.session()).toBeNull()
  })

  test("124 tells the log what was wrong, and nobody else", async () => {
    const { ada, log } = await withAda()
    await ada.signIn({ origin: "https://evil.example" })
    expect(log.text()).toContain("https://evil.example")
    const page = await ada.browser.open("/auth/error?error=WebAuthnVerificationError")
    const html = await page.text()
    expect(html).not.toContain("evil.example")
    expect(html).not.toMatch(/origin|signature|challenge/i)
  })

  test("133 the answers of devices are in no log", async () => {
    const { ada, log } = await withAda({ debug: true })
    const asked = await ada.ask({ action: "authenticate" })
    const data = await ada.answer(asked, { signature: "broken" })
    await ada.send("authenticate", data)
    const { signature = "", clientDataJSON = "" } = data.response
    for (const secret of [signature, clientDataJSON]) expect(log.text()).not.toContain(secret)
  })
})

describe("124 a registration", () => {
  test.each<[string, Twist]>([
    ...twists,
    ["with the type of a sign-in", { type: "webauthn.get" }],
    ["with an attestation that is none", { attestation: "packed" }],
    ["with an attestation nobody knows", { attestation: "unheard-of" }],
  ])("124 %s is refused, and nothing is stored", async (_, twist) => {
    const { person, counts, passkeys } = await passkeyHouse()
    const ada = person()
    const answer = await ada.register("ada@example.com", twist)
    expect(await described(answer)).toEqual(generic)
    expect([...counts(), passkeys().length]).toEqual([0, 0, 0, 0, 0])
    expect(await ada.browser.session()).toBeNull()
  })

  test("124 with the id of another's passkey does not come in as them", async () => {
    const { ada, person, counts } = await withAda()
    const mallory = person()
    const credentialId = ada.device.passkeys[0]?.id ?? ""
    const answer = await mallory.register("mallory@example.com", { credentialId })
    expect(await described(answer)).toEqual(generic)
    expect(await mallory.browser.session()).toBeNull()
    expect(counts().slice(0, 2)).toEqual([1, 1])
  })
})

describe("124 a body", () => {
  const junk: [string, unknown][] = [
    ["nothing", undefined],
    ["no JSON", "{"],
    ["null", "null"],
    ["a list", "[]"],
    ["a number", "7"],
    ["no response", JSON.stringify({ id: "AAAA" })],
    ["an id that is an object", JSON.stringify({ id: {}, response: { clientDataJSON: "e30" } })],
    ["an id that is no base64url", JSON.stringify({ id: "a+b/", response: {} })],
    [
      "client data that is no JSON",
      JSON.stringify({ id: "AA", response: { clientDataJSON: "AA" } }),
    ],
    ["an inherited name", JSON.stringify({ __proto__: { id: "AA" }, constructor: "x" })],
    ["client data in plain text", JSON.stringify({ id: "AA", response: { clientDataJSON: "{}" } })],
    ["a list as data", ["x"]],
    ["text of 60 kB", "x".repeat(60_000)],
  ]

  test.each(junk)("124 with %s as `data` is refused", async (_, data) => {
    const { person } = await passkeyHouse()
    const { browser } = person()
    const answer = await browser.post(
      "/auth/callback/passkey",
      JSON.stringify({ data, action: "authenticate" }),
      {
        headers: { "content-type": "application/json" },
      },
    )
    assertRefused(answer)
    expect(answer.headers.get("location")).toBe(generic.location)
  })

  test.each(["", "delete", "__proto__", "Authenticate"])(
    "124 with the action %j is refused",
    async (action) => {
      const { ada } = await withAda()
      const asked = await ada.ask({ action: "authenticate" })
      const answer = await ada.send(action, await ada.answer(asked))
      expect(await described(answer)).toEqual(generic)
    },
  )
})

describe("125 a counter", () => {
  test("125 that a copy of the passkey left behind is refused, and reported", async () => {
    const { ada, person, log, passkeys } = await withAda()
    const copy = ada.device.clone()
    await ada.signIn()
    await ada.signIn()
    const thief = person(copy)
    expect(await described(await thief.signIn())).toEqual(generic)
    expect(await thief.browser.session()).toBeNull()
    const text = log.text()
    expect(text).toContain("a signature counter above 3, not 2")
    expect(text).toContain(`begins with ${passkeys()[0]?.userId.slice(0, 8)} `)
    expect(passkeys()[0]?.counter).toBe(3)
  })

  test("125 without a good signature says nothing of the passkey: it is not reported as copied", async () => {
    const { ada, log } = await withAda()
    await ada.signIn({ counter: 0, signature: "foreign" })
    expect(log.text()).not.toContain("copied")
  })

  test("125 that falls back to nothing is refused", async () => {
    const { ada } = await withAda()
    expect(await described(await ada.signIn({ counter: 0 }))).toEqual(generic)
  })

  test("125 that cannot be written lets nobody in, and is no answer of the device's", async () => {
    const { ada, fail, log } = await withAda()
    fail("updateAuthenticatorCounter")
    const answer = await ada.signIn()
    assertRefused(answer)
    expect(answer.headers.get("location")).toBe(
      "https://app.example/auth/error?error=Configuration",
    )
    expect(await ada.browser.session()).toBeNull()
    expect(log.errors()).toContain("AdapterError")
    expect((await ada.signIn()).headers.get("location")).toBe("https://app.example")
    expect(await ada.browser.session()).not.toBeNull()
  })
})

test("a device that cannot check its owner is good enough where that is only preferred", async () => {
  const options = {
    authenticationOptions: { userVerification: "preferred" },
    registrationOptions: { authenticatorSelection: { userVerification: "preferred" } },
  } as const
  const { person } = await passkeyHouse({}, options)
  const ada = person(softAuthenticator({ verifies: false }))
  await ada.register("ada@example.com")
  expect(await ada.email()).toBe("ada@example.com")
  await ada.browser.signOut()
  await ada.signIn()
  expect(await ada.email()).toBe("ada@example.com")
})
