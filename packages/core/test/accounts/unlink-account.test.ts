/** `auth.accounts` and `auth.users`, for server code. */
import { createAuth, type UnlinkInput } from "@latchkey/core"
import { LastAccount, MissingAdapterMethods, SessionNotFresh } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import nodemailer from "@latchkey/core/providers/nodemailer"
import { assertRefused, getRedirectError } from "@latchkey/testing"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { ada, bob, createLinkingApp, type LinkingApp } from "../support/linking-app.ts"
import { createPasskeyApp } from "../support/passkey-app.ts"
import type { TestAppConfig } from "../support/test-app.ts"

const now = () => ({ createdAt: new Date() })

/** Ada, signed in with `work`, who has linked `club`, too. */
async function createLinkedApp(changes: Partial<TestAppConfig> = {}) {
  const app = await createLinkingApp(changes)
  app.work.setUser(ada)
  app.club.setUser({ ...bob, email: "ada@club.example" })
  const person = app.openBrowser()
  await person.signIn(app.work)
  await person.signIn(app.club, { link: "true" })
  const userId = String(app.rows("User")[0]?.["id"])
  const auth = createAuth(app.config)
  const unlink = (provider: "work" | "club", input: Partial<UnlinkInput> = {}) =>
    auth.accounts.unlink({ ...getKey(provider), userId, session: now(), ...input })
  return { ...app, auth, person, userId, unlink }
}

const getKey = (provider: "work" | "club") => ({
  provider,
  providerAccountId: provider === "work" ? "ada" : "bob",
})

const listProviders = (app: LinkingApp) => app.listAccounts().map((each) => each.split(" ")[0])

describe("listing accounts", () => {
  test("returns the accounts of the user without their tokens", async () => {
    const { auth, userId } = await createLinkedApp()
    const accounts = await auth.accounts.list(userId)
    const byProvider = accounts.toSorted((a, b) => a.provider.localeCompare(b.provider))
    expect(byProvider).toEqual([
      { provider: "club", providerAccountId: "bob", type: "oidc" },
      { provider: "work", providerAccountId: "ada", type: "oidc" },
    ])
    expect(await auth.accounts.list("nobody")).toEqual([])
  })

  test("needs a database", async () => {
    const { adapter: _, ...config } = (await createLinkingApp()).config
    const listed = createAuth(config).accounts.list("ada")
    await expect(listed).rejects.toMatchObject({ type: "MissingAdapter" })
  })
})

describe("unlinking an account", () => {
  test("deletes it, returns it and sends the event", async () => {
    const unlinkAccount = vi.fn()
    const app = await createLinkedApp({ events: { unlinkAccount } })
    const account = { ...getKey("club"), type: "oidc" }
    expect(await app.unlink("club")).toEqual(account)
    expect(listProviders(app)).toEqual(["work"])
    expect(unlinkAccount).toHaveBeenCalledOnce()
    const [message] = unlinkAccount.mock.calls[0] ?? []
    expect(message).toMatchObject({ user: { id: app.userId }, account })
  })

  test("returns null for an account that the user does not have, and sends no event", async () => {
    const unlinkAccount = vi.fn()
    const app = await createLinkedApp({ events: { unlinkAccount } })
    expect(await app.unlink("club", { providerAccountId: "ada" })).toBeNull()
    expect(await app.unlink("club", { userId: "nobody" })).toBeNull()
    const other = await app.createUser({ email: "eve@example.com" })
    expect(await app.unlink("club", { userId: other.id })).toBeNull()
    expect(listProviders(app)).toEqual(["club", "work"])
    expect(unlinkAccount).not.toHaveBeenCalled()
  })

  test("refuses the last account", async () => {
    const app = await createLinkedApp()
    await app.unlink("club")
    await expect(app.unlink("work")).rejects.toThrow(LastAccount)
    expect(listProviders(app)).toEqual(["work"])
    expect(app.log.errorCodes()).toContain("LastAccount")
  })

  test("does not count the account of a provider that is not configured any more", async () => {
    const app = await createLinkedApp()
    const { accounts } = createAuth({ ...app.config, providers: app.config.providers.slice(1) })
    const input = { ...getKey("club"), userId: app.userId, session: now() }
    await expect(accounts.unlink(input)).rejects.toThrow(LastAccount)
  })

  test("counts a proven address if there is an e-mail provider", async () => {
    const mail = nodemailer({ server: "smtp://127.0.0.1:1", from: "app@example.com" })
    const app = await createLinkedApp()
    await app.unlink("club")
    const { accounts } = createAuth({
      ...app.config,
      providers: [...app.config.providers, mail],
    })
    const input = { ...getKey("work"), userId: app.userId, session: now() }
    await expect(accounts.unlink(input)).rejects.toThrow(LastAccount)
    await app.adapter.updateUser({ id: app.userId, emailVerified: new Date() })
    await expect(app.unlink("work")).rejects.toThrow(LastAccount)
    expect(await accounts.unlink(input)).toMatchObject({ provider: "work" })
  })

  test("counts credentials if the application says so and has such a provider", async () => {
    const app = await createLinkedApp({ session: { strategy: "jwt" } })
    await app.unlink("club")
    await expect(app.unlink("work", { hasCredentials: true })).rejects.toThrow(LastAccount)
    const password = credentials({ authorize: () => null })
    const providers = [...app.config.providers, password]
    const { accounts } = createAuth({ ...app.config, providers })
    const input = { ...getKey("work"), userId: app.userId, session: now(), hasCredentials: true }
    expect(await accounts.unlink(input)).toMatchObject({ provider: "work" })
  })

  test("of parallel requests for all accounts, leaves one", async () => {
    const app = await createLinkedApp()
    const others = createAuth({ ...app.config })
    const results = await Promise.allSettled([
      app.unlink("work"),
      others.accounts.unlink({ ...getKey("club"), userId: app.userId, session: now() }),
      app.unlink("work"),
      app.unlink("club"),
    ])
    expect(listProviders(app)).toHaveLength(1)
    const refusals = results.filter(({ status }) => status === "rejected")
    expect(refusals).not.toHaveLength(0)
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ reason: { type: "LastAccount" } })
  })

  test("unlinks nothing once another request may hold the lease, and can be repeated", async () => {
    const app = await createLinkedApp()
    vi.useFakeTimers({ toFake: ["Date"] })
    onTestFinished(() => void vi.useRealTimers())
    const unlinkSlowly = (seconds: number) => {
      const listAccounts: typeof app.adapter.listAccounts = async (id) => {
        vi.setSystemTime(Date.now() + seconds * 1000)
        return app.adapter.listAccounts(id)
      }
      const { accounts } = createAuth({ ...app.config, adapter: { ...app.adapter, listAccounts } })
      return accounts.unlink({ ...getKey("club"), userId: app.userId, session: now() })
    }
    await expect(unlinkSlowly(10)).rejects.toThrow("The store did not respond within 10 s")
    expect(listProviders(app)).toEqual(["club", "work"])
    expect(await unlinkSlowly(9)).not.toBeNull()
  })

  test.each([
    ["without a time", {}],
    ["that is none", null as never],
    ["that began too long ago", { createdAt: new Date(Date.now() - 601_000) }],
    ["whose claim is too old", { signedInAt: Date.now() / 1000 - 601 }],
    ["that begins in the future", { createdAt: new Date(Date.now() + 3_600_000) }],
    ["with an invalid date", { createdAt: new Date(Number.NaN) }],
  ])("refuses a session %s", async (_, session) => {
    const app = await createLinkedApp()
    await expect(app.unlink("club", { session })).rejects.toThrow(SessionNotFresh)
    expect(listProviders(app)).toEqual(["club", "work"])
  })

  test("accepts a session up to `maxAge`, by its claim, too", async () => {
    const app = await createLinkedApp()
    const session = { signedInAt: Date.now() / 1000 - 100 }
    await expect(app.unlink("club", { session, maxAge: 50 })).rejects.toThrow("at most 50 seconds")
    expect(await app.unlink("club", { session, maxAge: 200 })).not.toBeNull()
  })

  test.each(["listAccounts", "unlinkAccount", "acquireLease"] as const)(
    "names the method %s if the adapter lacks it",
    async (name) => {
      const app = await createLinkedApp()
      const { [name]: _, ...adapter } = app.adapter
      const { accounts } = createAuth({ ...app.config, adapter })
      const input = { ...getKey("club"), userId: app.userId, session: now() }
      const unlinked = accounts.unlink(input)
      await expect(unlinked).rejects.toThrow(MissingAdapterMethods)
      await expect(unlinked).rejects.toThrow(`the adapter to have ${name}`)
      expect(listProviders(app)).toEqual(["club", "work"])
    },
  )

  test("leaves the account linked if the database fails, and can be repeated", async () => {
    const app = await createLinkedApp()
    app.failMethod("unlinkAccount")
    await expect(app.unlink("club")).rejects.toMatchObject({ type: "AdapterError" })
    expect(listProviders(app)).toEqual(["club", "work"])
    expect(await app.unlink("club")).not.toBeNull()
  })
})

describe("an unlinked account that signs in again", () => {
  test("gets a user of its own", async () => {
    const app = await createLinkedApp()
    await app.unlink("club")
    await app.person.signIn(app.club)
    expect(app.rows("User")).toHaveLength(2)
    const session = await app.person.getSession()
    expect(session?.user?.email).toBe("ada@club.example")
    expect(app.listAccounts()).not.toContain(`club ${app.userId}`)
  })

  test("is refused if its address belongs to the user", async () => {
    const app = await createLinkedApp()
    await app.unlink("work")
    const stranger = app.openBrowser()
    const response = await stranger.signIn(app.work)
    assertRefused(response)
    expect(getRedirectError(response)).toBe("OAuthAccountNotLinked")
    expect(app.rows("User")).toHaveLength(1)
    expect(await stranger.getSession()).toBeNull()
  })

  test("can be linked again by the user", async () => {
    const app = await createLinkedApp()
    await app.unlink("club")
    await app.person.signIn(app.club, { link: "true" })
    expect(app.listAccounts()).toEqual([`club ${app.userId}`, `work ${app.userId}`])
  })
})

describe("unlinking a passkey", () => {
  async function registerTwice() {
    const app = await createPasskeyApp()
    const { accounts } = createAuth(app.config)
    const phone = app.openPasskeyBrowser()
    await phone.register("ada@example.com")
    const [passkey] = app.listPasskeys()
    const userId = String(passkey?.userId)
    const unlink = (credentialID = "") =>
      accounts.unlink({
        userId,
        session: now(),
        provider: "passkey",
        providerAccountId: credentialID,
      })
    return { ...app, phone, userId, unlink, credentialID: String(passkey?.credentialID) }
  }

  test("refuses the only one", async () => {
    const { unlink, credentialID, listPasskeys } = await registerTwice()
    await expect(unlink(credentialID)).rejects.toThrow(LastAccount)
    expect(listPasskeys()).toHaveLength(1)
  })

  test("does not count an account whose passkey is missing", async () => {
    const { unlink, credentialID, adapter, userId } = await registerTwice()
    const account = { provider: "passkey", type: "webauthn", userId } as const
    await adapter.linkAccount({ ...account, providerAccountId: "lost" })
    await expect(unlink(credentialID)).rejects.toThrow(LastAccount)
    expect(await unlink("lost")).toMatchObject({ providerAccountId: "lost" })
  })

  test("deletes the passkey with its account, and its device cannot sign in", async () => {
    const { unlink, credentialID, adapter, userId, phone, ...app } = await registerTwice()
    const account = { provider: "passkey", type: "webauthn", userId } as const
    await adapter.linkAccount({ ...account, providerAccountId: "laptop" })
    const [stored] = app.listPasskeys()
    if (!stored) throw new TypeError("a passkey")
    await adapter.createAuthenticator({
      ...stored,
      credentialBackedUp: true,
      credentialID: "bGFwdG9w",
      providerAccountId: "laptop",
    })
    expect(await unlink(credentialID)).toMatchObject({ type: "webauthn" })
    expect(app.listPasskeys().map((each) => each.credentialID)).toEqual(["bGFwdG9w"])
    await phone.browser.signOut()
    assertRefused(await phone.signIn())
    expect(await phone.browser.getSession()).toBeNull()
  })
})

describe("deleting a user", () => {
  test("deletes what belongs to them, sends the event, and ends database sessions", async () => {
    const deleteUser = vi.fn()
    const app = await createLinkedApp({ events: { deleteUser } })
    const token = { identifier: ada.email, token: "a hash", expires: new Date(Date.now() + 60_000) }
    await app.adapter.createVerificationToken(token)
    const other = await app.createUser({ email: "eve@example.com" })
    expect(await app.auth.users.delete(app.userId)).toMatchObject({ id: app.userId })
    expect(app.rows("User").map(({ id }) => id)).toEqual([other.id])
    for (const table of ["Account", "Session", "VerificationToken", "Authenticator"] as const)
      expect(app.rows(table)).toEqual([])
    expect(await app.person.getSession()).toBeNull()
    expect(deleteUser).toHaveBeenCalledOnce()
    expect(deleteUser.mock.calls[0]?.[0]).toMatchObject({ user: { id: app.userId } })
  })

  test("returns null for an unknown user, and sends no event", async () => {
    const deleteUser = vi.fn()
    const app = await createLinkedApp({ events: { deleteUser } })
    expect(await app.auth.users.delete("nobody")).toBeNull()
    const deleted = [app.auth.users.delete(app.userId), app.auth.users.delete(app.userId)]
    expect((await Promise.all(deleted)).filter(Boolean)).toHaveLength(1)
    expect(deleteUser).toHaveBeenCalledOnce()
  })

  test("the account signs in as a new user afterwards", async () => {
    const app = await createLinkedApp()
    await app.auth.users.delete(app.userId)
    await app.person.signIn(app.work)
    expect(app.rows("User")).toHaveLength(1)
    expect(app.rows("User")[0]?.["id"]).not.toBe(app.userId)
  })

  test("names the method if the adapter lacks it", async () => {
    const app = await createLinkedApp()
    const { deleteUser: _, ...adapter } = app.adapter
    const { users } = createAuth({ ...app.config, adapter })
    await expect(users.delete(app.userId)).rejects.toThrow("the adapter to have deleteUser")
  })
})
