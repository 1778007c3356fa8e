/** A passkey is registered and used repeatedly, with both session strategies. */
import type { EventCallbacks } from "@latchkey/core"
import { createVirtualAuthenticator, getRedirectError, getSetCookieNames } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasskeyApp, PasskeyBrowser } from "../support/passkey-app.ts"

const strategies = ["jwt", "database"] as const

describe.each(strategies)("passkeys (%s)", (strategy) => {
  const session = { strategy }

  test("a new user registers one, signs out, and signs in with it", async () => {
    const { openPasskeyBrowser, countRows, listPasskeys, log } = await createPasskeyApp({ session })
    const ada = openPasskeyBrowser()
    const made = await ada.register("Ada@Example.com ")
    expect([made.status, getRedirectError(made)]).toEqual([302, null])
    expect(await ada.readName()).toBe("ada")
    expect(listPasskeys()).toHaveLength(1)

    await ada.browser.signOut()
    expect(await ada.browser.getSession()).toBeNull()
    const back = await ada.signIn()
    expect([back.status, getRedirectError(back)]).toEqual([302, null])
    expect(await ada.readName()).toBe("ada")
    expect(listPasskeys()[0]?.counter).toBe(2)
    // Each used challenge is stored until it expires.
    expect(countRows()).toEqual([1, 1, strategy === "database" ? 1 : 0, 2])
    expect(log.errorCodes()).toEqual([])
  })

  test("redirects to the callback URL, and a new user to the page for new users", async () => {
    const pages = { newUser: "/welcome" }
    const { openPasskeyBrowser } = await createPasskeyApp({ session, pages })
    const ada = openPasskeyBrowser()
    const land = { callbackUrl: "/beds" }
    const asked = await ada.requestOptions({ action: "register", email: "ada@example.com" })
    const first = await ada.sendResponse("register", await ada.createResponse(asked), land)
    const to = new URL(first.headers.get("location") ?? "", ada.browser.origin)
    expect(to.pathname + to.search).toBe(
      `/welcome?${new URLSearchParams({ callbackUrl: `${ada.browser.origin}/beds` })}`,
    )
    const again = await ada.requestOptions({ action: "authenticate" })
    const response = await ada.sendResponse("authenticate", await ada.createResponse(again), land)
    expect(response.headers.get("location")).toBe("https://app.example/beds")
  })

  test("the application receives events for the new user, the account, and each sign-in", async () => {
    const heard: unknown[] = []
    const hear = (name: string) => (message: unknown) => void heard.push([name, message])
    const events: Partial<EventCallbacks> = {
      createUser: hear("createUser"),
      linkAccount: hear("linkAccount"),
      signIn: hear("signIn"),
    }
    const { openPasskeyBrowser, listPasskeys } = await createPasskeyApp({ session, events })
    const ada = openPasskeyBrowser()
    await ada.register("ada@example.com")
    await ada.signIn()
    const id = listPasskeys()[0]?.credentialID
    const account = { provider: "passkey", type: "webauthn", providerAccountId: id }
    const user = { name: "ada", email: "" }
    expect(heard).toEqual([
      ["createUser", { user: expect.objectContaining(user) }],
      ["linkAccount", { user: expect.objectContaining(user), account, profile: expect.anything() }],
      ["signIn", { user: expect.objectContaining(user), account, isNewUser: true }],
      [
        "signIn",
        {
          user: expect.objectContaining(user),
          account: expect.objectContaining(account),
          isNewUser: false,
        },
      ],
    ])
  })

  test("a sign-in starts a new session, and ends the previous one", async () => {
    const { openPasskeyBrowser } = await createPasskeyApp({ session })
    const ada = openPasskeyBrowser()
    await ada.register("ada@example.com")
    const before = ada.browser.cookies.get("__Secure-authjs.session-token")?.value
    await ada.signIn()
    expect(ada.browser.cookies.get("__Secure-authjs.session-token")?.value).not.toBe(before)
  })

  test("two users share a browser: the owner of the passkey is signed in", async () => {
    const { openPasskeyBrowser, countRows } = await createPasskeyApp({ session })
    const device = createVirtualAuthenticator()
    const ada = openPasskeyBrowser(device)
    await ada.register("ada@example.com")
    const theirs = openPasskeyBrowser(createVirtualAuthenticator())
    await theirs.register("bob@example.com")
    const bob = new PasskeyBrowser(ada.browser, theirs.device)
    expect(getRedirectError(await bob.signIn())).toBeNull()
    expect(await ada.readName()).toBe("bob")
    expect(countRows().slice(0, 2)).toEqual([2, 2])
  })
})

test("the session token of a new user is created by the `jwt` callback, as usual", async () => {
  const triggers: unknown[] = []
  const { openPasskeyBrowser } = await createPasskeyApp({
    session: { strategy: "jwt" },
    callbacks: {
      jwt({ token, trigger, isNewUser, account }) {
        if (account) triggers.push([trigger, isNewUser, account.type])
        return { ...token, way: token["way"] ?? account?.type }
      },
      session: ({ session, token }) => ({ ...session, way: token["way"] }),
    },
  })
  const ada = openPasskeyBrowser()
  await ada.register("ada@example.com")
  expect(await ada.browser.getSession()).toMatchObject({ way: "webauthn" })
  await ada.signIn()
  expect(triggers).toEqual([
    ["signUp", true, "webauthn"],
    ["signIn", false, "webauthn"],
  ])
})

test("records have the format of Auth.js: base64, and transports joined by commas", async () => {
  const { openPasskeyBrowser, listPasskeys, rows } = await createPasskeyApp()
  const ada = openPasskeyBrowser()
  await ada.register("ada@example.com")
  const [made] = ada.device.passkeys
  const credentialID = Buffer.from(made?.id ?? "", "base64url").toString("base64")
  expect(listPasskeys()[0]).toMatchObject({
    credentialID,
    providerAccountId: credentialID,
    credentialPublicKey: Buffer.from(made?.keyPair.cosePublicKey ?? []).toString("base64"),
    counter: 1,
    transports: "internal,hybrid",
    credentialDeviceType: "singleDevice",
    userId: rows("User")[0]?.["id"],
  })
})

test("a record that another library stored in this format signs its owner in", async () => {
  const { openPasskeyBrowser, adapter, createUser } = await createPasskeyApp()
  const { id } = await createUser({ email: "ada@example.com" })
  const ada = openPasskeyBrowser()
  await ada.device.create(
    { challenge: "AAAA", rp: { name: "x" }, user: { id: "AAAA", name: "x", displayName: "x" } },
    ada.browser.origin,
  )
  const [made] = ada.device.passkeys
  const credentialID = Buffer.from(made?.id ?? "", "base64url").toString("base64")
  const account = { provider: "passkey", providerAccountId: credentialID, userId: id }
  await adapter.linkAccount({ ...account, type: "webauthn" })
  await adapter.createAuthenticator({
    userId: id,
    providerAccountId: credentialID,
    credentialID,
    credentialPublicKey: Buffer.from(made?.keyPair.cosePublicKey ?? []).toString("base64"),
    counter: 0,
    credentialBackedUp: false,
    credentialDeviceType: "singleDevice",
    transports: null,
  })
  expect(getRedirectError(await ada.signIn())).toBeNull()
  expect(await ada.browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
})

test("synced passkeys have no counter, and can be used repeatedly", async () => {
  const { openPasskeyBrowser, listPasskeys } = await createPasskeyApp()
  const ada = openPasskeyBrowser(createVirtualAuthenticator({ countsSignatures: false }))
  await ada.register("ada@example.com")
  for (const _ of [1, 2, 3]) expect(getRedirectError(await ada.signIn())).toBeNull()
  expect(listPasskeys()[0]?.counter).toBe(0)
})

test("a client that sends X-Auth-Return-Redirect receives the URL in JSON", async () => {
  const { openPasskeyBrowser } = await createPasskeyApp()
  const ada = openPasskeyBrowser()
  const asked = await ada.requestOptions({ action: "register", email: "ada@example.com" })
  const data = JSON.stringify(await ada.createResponse(asked))
  const response = await ada.browser.fetch("/auth/callback/passkey", {
    method: "POST",
    headers: { "content-type": "application/json", "x-auth-return-redirect": "1" },
    body: JSON.stringify({ action: "register", data, callbackUrl: "/beds" }),
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ url: "https://app.example/beds" })
  expect(getSetCookieNames(response)).toContain("__Secure-authjs.session-token")
})
