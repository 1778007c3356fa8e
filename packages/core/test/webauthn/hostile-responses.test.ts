/** Cases 124 and 125: malformed and forged responses, each sent to the public endpoint. */
import { createHash } from "node:crypto"
import type { AdapterAuthenticator } from "@latchkey/core/adapters"
import {
  type AuthenticatorOverrides,
  assertRefused,
  createVirtualAuthenticator,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasskeyApp } from "../support/passkey-app.ts"

async function registerAda(...parameters: Parameters<typeof createPasskeyApp>) {
  const app = await createPasskeyApp(...parameters)
  const ada = app.openPasskeyBrowser()
  await ada.register("ada@example.com")
  await ada.browser.signOut()
  return { ...app, ada }
}

/** Everything that the browser receives, except for the current time. */
async function describeResponse(response: Response): Promise<unknown> {
  const cookies = response.headers.getSetCookie().map((line) => line.replace(/\.[\w-]{16}=/, ".…="))
  return {
    status: response.status,
    location: response.headers.get("location"),
    cookies,
    body: await response.text(),
  }
}

const genericRefusal = {
  status: 302,
  location: "https://app.example/auth/error?error=WebAuthnVerificationError",
  cookies: [expect.stringMatching(/^__Host-authjs\.challenge\.…=; Max-Age=0;/)],
  body: "",
}

/** The handle of passkeys that a user added: the text "latchkey:" and the hash of the user's id. */
const derivedHandle = (userId: string) =>
  Buffer.from("latchkey:").toString("base64url") +
  createHash("sha256").update(userId).digest("base64url")

const responseTwists: [string, AuthenticatorOverrides][] = [
  ["of another origin", { origin: "https://evil.example" }],
  ["of another port of the origin", { origin: "https://app.example:8443" }],
  ["of the origin over http", { origin: "http://app.example" }],
  ["of a host whose name has the same beginning", { origin: "https://app.example.evil.example" }],
  ["for another relying party", { rpId: "evil.example" }],
  ["for the parent domain", { rpId: "example" }],
  ["without a type", { type: "" }],
  ["of another type", { type: "payment.get" }],
  ["without user presence", { userPresent: false }],
  ["without user verification", { userVerified: false }],
  ["from a frame without a top origin", { crossOrigin: true }],
  ["from a frame in another site", { crossOrigin: true, topOrigin: "https://evil.example" }],
  [
    "with a top origin but not in a frame",
    { crossOrigin: false, topOrigin: "https://evil.example" },
  ],
]

describe("a sign-in", () => {
  test.each<[string, AuthenticatorOverrides]>([
    ...responseTwists,
    ["with the type of a registration", { type: "webauthn.create" }],
    ["with a broken signature", { signature: "broken" }],
    ["with another key's signature", { signature: "foreign" }],
    ["with an unknown passkey", { credentialId: "bm9ib2R5" }],
    ["with a counter that did not increase", { counter: 1 }],
    ["with a counter that decreased", { counter: 0 }],
    ["with a passkey that became eligible for backups", { backupEligible: true }],
    ["with a passkey that is backed up but not eligible for it", { backedUp: true }],
    ["with a handle derived from another user", { userHandle: derivedHandle("nobody") }],
  ])("%s is refused, always with the same response", async (_, twist) => {
    const { ada, log, listPasskeys } = await registerAda()
    const response = await ada.signIn(twist)
    assertRefused(response)
    expect(await describeResponse(response)).toEqual(genericRefusal)
    expect(await ada.browser.getSession()).toBeNull()
    expect(log.errorCodes()).toEqual(["WebAuthnVerificationError"])
    expect(listPasskeys()[0]?.counter).toBe(1)
  })

  test("with the passkey of another user under one's own name is refused", async () => {
    const { ada, openPasskeyBrowser, listPasskeys } = await registerAda()
    const mallory = openPasskeyBrowser()
    await mallory.register("mallory@example.com")
    await mallory.browser.signOut()
    const [adas] = ada.device.passkeys
    const response = await mallory.signIn({ credentialId: adas?.id ?? "" })
    expect(await describeResponse(response)).toEqual(genericRefusal)
    expect(await mallory.browser.getSession()).toBeNull()
    expect(listPasskeys().map(({ counter }) => counter)).toEqual([1, 1])
  })

  test("with a passkey that was removed is refused", async () => {
    const { ada, adapter, rows } = await registerAda()
    await adapter.deleteUser(String(rows("User")[0]?.["id"]))
    expect(await describeResponse(await ada.signIn())).toEqual(genericRefusal)
  })

  test("with a passkey whose account was unlinked is refused", async () => {
    const { ada, adapter, listPasskeys } = await registerAda()
    const providerAccountId = listPasskeys()[0]?.credentialID ?? ""
    await adapter.unlinkAccount({ provider: "passkey", providerAccountId })
    expect(await describeResponse(await ada.signIn())).toEqual(genericRefusal)
  })

  test("with a passkey whose account was given to another user is refused", async () => {
    const { ada, adapter, listPasskeys, createUser } = await registerAda()
    const providerAccountId = listPasskeys()[0]?.credentialID ?? ""
    const { id: userId } = await createUser({ email: "bob@example.com" })
    await adapter.unlinkAccount({ provider: "passkey", providerAccountId })
    const account = { provider: "passkey", type: "webauthn", providerAccountId } as const
    await adapter.linkAccount({ ...account, userId })
    expect(await describeResponse(await ada.signIn())).toEqual(genericRefusal)
    expect(await ada.browser.getSession()).toBeNull()
  })

  test("is refused with a reason that is only logged", async () => {
    const { ada, log } = await registerAda()
    await ada.signIn({ origin: "https://evil.example" })
    expect(log.toText()).toContain("https://evil.example")
    const page = await ada.browser.open("/auth/error?error=WebAuthnVerificationError")
    const html = await page.text()
    expect(html).not.toContain("evil.example")
    expect(html).not.toMatch(/origin|signature|challenge/i)
  })

  test("the responses of authenticators are never logged", async () => {
    const { ada, log } = await registerAda({ debug: true })
    const asked = await ada.requestOptions({ action: "authenticate" })
    const data = await ada.createResponse(asked, { signature: "broken" })
    await ada.sendResponse("authenticate", data)
    const { signature = "", clientDataJSON = "" } = data.response
    for (const secret of [signature, clientDataJSON]) expect(log.toText()).not.toContain(secret)
  })
})

describe("a registration", () => {
  test.each<[string, AuthenticatorOverrides]>([
    ...responseTwists,
    ["with the type of a sign-in", { type: "webauthn.get" }],
    ["with an invalid attestation", { attestation: "packed" }],
    ["with an unknown attestation", { attestation: "unheard-of" }],
    ["of a passkey that is backed up but not eligible for it", { backedUp: true }],
  ])("%s is refused, and nothing is stored", async (_, twist) => {
    const { openPasskeyBrowser, countRows, listPasskeys } = await createPasskeyApp()
    const ada = openPasskeyBrowser()
    const response = await ada.register("ada@example.com", twist)
    expect(await describeResponse(response)).toEqual(genericRefusal)
    expect([...countRows(), listPasskeys().length]).toEqual([0, 0, 0, 0, 0])
    expect(await ada.browser.getSession()).toBeNull()
  })

  test("with the id of another user's passkey does not sign in that user", async () => {
    const { ada, openPasskeyBrowser, countRows } = await registerAda()
    const mallory = openPasskeyBrowser()
    const credentialId = ada.device.passkeys[0]?.id ?? ""
    const response = await mallory.register("mallory@example.com", { credentialId })
    expect(await describeResponse(response)).toEqual(genericRefusal)
    expect(await mallory.browser.getSession()).toBeNull()
    expect(countRows().slice(0, 2)).toEqual([1, 1])
  })
})

describe("the backup-eligible flag", () => {
  const synced = { backupEligible: true, backedUp: true }

  test("of a registration stays that of the passkey", async () => {
    const { openPasskeyBrowser, listPasskeys, log } = await createPasskeyApp()
    const ada = openPasskeyBrowser()
    await ada.register("ada@example.com", { backupEligible: true })
    expect(listPasskeys()[0]?.credentialDeviceType).toBe("multiDevice")
    // The state may change, the eligibility may not.
    for (const flags of [synced, { backupEligible: true }]) {
      await ada.browser.signOut()
      await ada.signIn(flags)
      expect(await ada.readName()).toBe("ada")
    }
    await ada.browser.signOut()
    expect(await describeResponse(await ada.signIn())).toEqual(genericRefusal)
    expect(await ada.browser.getSession()).toBeNull()
    expect(log.toText()).toContain("the stored type multiDevice, not singleDevice")
    expect(log.toText()).toContain(`begins with ${listPasskeys()[0]?.userId.slice(0, 8)} `)
    expect(listPasskeys()[0]?.counter).toBe(3)
  })

  test("of a record that does not say it is not compared", async () => {
    const { adapter, ...app } = await createPasskeyApp()
    const createAuthenticator = (passkey: AdapterAuthenticator) =>
      adapter.createAuthenticator({ ...passkey, credentialDeviceType: "" })
    const { openPasskeyBrowser } = await createPasskeyApp({
      adapter: { ...adapter, createAuthenticator },
    })
    const ada = openPasskeyBrowser()
    await ada.register("ada@example.com")
    expect(app.listPasskeys()[0]?.credentialDeviceType).toBe("")
    for (const flags of [synced, {}]) {
      await ada.browser.signOut()
      await ada.signIn(flags)
      expect(await ada.readName()).toBe("ada")
    }
  })
})

describe("a body", () => {
  const junk: [string, unknown][] = [
    ["nothing", undefined],
    ["invalid JSON", "{"],
    ["null", "null"],
    ["an array", "[]"],
    ["a number", "7"],
    ["no response", JSON.stringify({ id: "AAAA" })],
    ["an id that is an object", JSON.stringify({ id: {}, response: { clientDataJSON: "e30" } })],
    ["an id that is not base64url", JSON.stringify({ id: "a+b/", response: {} })],
    [
      "client data that is not JSON",
      JSON.stringify({ id: "AA", response: { clientDataJSON: "AA" } }),
    ],
    ["an inherited name", JSON.stringify({ __proto__: { id: "AA" }, constructor: "x" })],
    ["client data in plain text", JSON.stringify({ id: "AA", response: { clientDataJSON: "{}" } })],
    ["an array as `data`", ["x"]],
    ["text of 60 kB", "x".repeat(60_000)],
  ]

  test.each(junk)("with %s as `data` is refused", async (_, data) => {
    const { openPasskeyBrowser } = await createPasskeyApp()
    const { browser } = openPasskeyBrowser()
    const response = await browser.post(
      "/auth/callback/passkey",
      JSON.stringify({ data, action: "authenticate" }),
      {
        headers: { "content-type": "application/json" },
      },
    )
    assertRefused(response)
    expect(response.headers.get("location")).toBe(genericRefusal.location)
  })

  test.each(["", "delete", "__proto__", "Authenticate"])(
    "with the action %j is refused",
    async (action) => {
      const { ada } = await registerAda()
      const asked = await ada.requestOptions({ action: "authenticate" })
      const response = await ada.sendResponse(action, await ada.createResponse(asked))
      expect(await describeResponse(response)).toEqual(genericRefusal)
    },
  )
})

describe("a signature counter", () => {
  test("that shows a cloned passkey is refused, and reported", async () => {
    const { ada, openPasskeyBrowser, log, listPasskeys } = await registerAda()
    const copy = ada.device.clone()
    await ada.signIn()
    await ada.signIn()
    const thief = openPasskeyBrowser(copy)
    expect(await describeResponse(await thief.signIn())).toEqual(genericRefusal)
    expect(await thief.browser.getSession()).toBeNull()
    const text = log.toText()
    expect(text).toContain("a signature counter above 3, not 2")
    expect(text).toContain(`begins with ${listPasskeys()[0]?.userId.slice(0, 8)} `)
    expect(listPasskeys()[0]?.counter).toBe(3)
  })

  test("without a valid signature is not reported as a cloned passkey", async () => {
    const { ada, log } = await registerAda()
    await ada.signIn({ counter: 0, signature: "foreign" })
    expect(log.toText()).not.toContain("copied")
  })

  test("that is reset to zero is refused", async () => {
    const { ada } = await registerAda()
    expect(await describeResponse(await ada.signIn({ counter: 0 }))).toEqual(genericRefusal)
  })

  test("of a concurrent sign-in is never replaced by a lower one", async () => {
    const { ada, adapter, listPasskeys } = await registerAda()
    const copy = ada.device.clone()
    // Both sign-ins read the counter before either stores a new one, the higher one first.
    const waiting = new Map<number, () => void>()
    const updateAuthenticatorCounter = async (id: string, counter: number) => {
      const turn = new Promise<void>((resolve) => waiting.set(counter, resolve))
      if (waiting.size === 2) waiting.get(5)?.()
      await turn
      const stored = await adapter.updateAuthenticatorCounter(id, counter)
      waiting.get(2)?.()
      return stored
    }
    const app = await createPasskeyApp({ adapter: { ...adapter, updateAuthenticatorCounter } })
    const owner = app.openPasskeyBrowser(ada.device)
    const thief = app.openPasskeyBrowser(copy)
    const responses = await Promise.all([owner.signIn({ counter: 5 }), thief.signIn()])
    expect([...waiting.keys()].sort()).toEqual([2, 5])
    expect(responses.map((response) => response.headers.get("location"))).toEqual([
      "https://app.example",
      genericRefusal.location,
    ])
    expect(await thief.browser.getSession()).toBeNull()
    expect(app.log.toText()).toContain("a signature counter above 5, not 2")
    expect(listPasskeys()[0]?.counter).toBe(5)
  })

  test("that cannot be stored refuses the sign-in, as an error of the database", async () => {
    const { ada, failMethod, log } = await registerAda()
    failMethod("updateAuthenticatorCounter")
    const response = await ada.signIn()
    assertRefused(response)
    expect(response.headers.get("location")).toBe(
      "https://app.example/auth/error?error=Configuration&reason=unavailable",
    )
    expect(await ada.browser.getSession()).toBeNull()
    expect(log.errorCodes()).toContain("AdapterError")
    expect((await ada.signIn()).headers.get("location")).toBe("https://app.example")
    expect(await ada.browser.getSession()).not.toBeNull()
  })
})

test("a device without user verification is accepted if that is only preferred", async () => {
  const options = {
    authenticationOptions: { userVerification: "preferred" },
    registrationOptions: { authenticatorSelection: { userVerification: "preferred" } },
  } as const
  const { openPasskeyBrowser } = await createPasskeyApp({}, options)
  const ada = openPasskeyBrowser(createVirtualAuthenticator({ verifiesUser: false }))
  await ada.register("ada@example.com")
  expect(await ada.readName()).toBe("ada")
  await ada.browser.signOut()
  await ada.signIn()
  expect(await ada.readName()).toBe("ada")
})
