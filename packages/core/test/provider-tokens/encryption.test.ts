import { createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import { createTestBrowser, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { openTokens, sealTokens } from "../../src/crypto/token-sealer.ts"
import { expectNoSecretsLogged, oauthSecret } from "../support/oauth-app.ts"
import { createProviderTokenApp, tokenLifetime } from "../support/provider-token-app.ts"

const sealed = /^latchkey-sealed:ey/
const tokenNames = ["access_token", "refresh_token", "id_token"]
const nextSecret = "the next secret of the application under test"

/** Creates an application that encrypts tokens, with what tests change in its database. */
async function createEncryptedApp(encryptTokens = true) {
  const app = await createProviderTokenApp({ config: { encryptTokens } })
  const { config } = app.app
  const getTokenWith = (changes: object) =>
    createAuth({ ...config, ...changes }).getAccessToken({ userId: app.userId }, "scripted")
  const update = (changes: object) =>
    config.adapter?.updateAccount?.({
      provider: "scripted",
      providerAccountId: "ada",
      ...changes,
    })
  return { ...app, getTokenWith, update }
}

function later<T>(seconds: number, run: () => Promise<T>): Promise<T> {
  return withFrozenTime(Date.now() + seconds * 1000, run)
}

describe("`encryptTokens`", () => {
  test("stores no token as it is, at sign-in or after a refresh", async () => {
    const { app, alice, getToken, provider, readAccount } = await createEncryptedApp()
    const expectSealed = () => {
      const account = readAccount()
      for (const name of tokenNames) expect(account[name]).toMatch(sealed)
      const text = JSON.stringify(app.readRows("Account"))
      expect(provider.secrets.filter((secret) => text.includes(secret))).toEqual([])
    }
    expectSealed()
    expect(provider.secrets).toContain((await getToken()).accessToken)
    const before = readAccount()
    const { accessToken } = await later(tokenLifetime, () => getToken())
    expect(provider.secrets).toContain(accessToken)
    expectSealed()
    expect(readAccount()["access_token"]).not.toBe(before["access_token"])
    await createTestBrowser(app.app).signIn(provider)
    await alice.getSession()
    expectSealed()
    expectNoSecretsLogged(app, provider)
  })

  test("changes nothing when it is off", async () => {
    const { provider, readAccount } = await createEncryptedApp(false)
    for (const name of tokenNames) expect(provider.secrets).toContain(readAccount()[name])
  })

  test("seals tokens that are stored as they are when they are read", async () => {
    const { getToken, getTokenWith, provider, readAccount } = await createEncryptedApp(false)
    const plain = await getToken()
    expect((await getTokenWith({ encryptTokens: true })).accessToken).toBe(plain.accessToken)
    for (const name of tokenNames) expect(readAccount()[name]).toMatch(sealed)
    expect((await getTokenWith({ encryptTokens: true })).accessToken).toBe(plain.accessToken)
    expect(provider.tokenRequests).toEqual([])
  })

  test("leaves tokens that are about to be refreshed to the refresh", async () => {
    const { getTokenWith, readAccount, provider } = await createEncryptedApp(false)
    await later(tokenLifetime - 300, () => getTokenWith({ encryptTokens: true }))
    for (const name of tokenNames) expect(readAccount()[name]).not.toMatch(sealed)
    await later(tokenLifetime, () => getTokenWith({ encryptTokens: true }))
    for (const name of tokenNames) expect(readAccount()[name]).toMatch(sealed)
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("leaves them to a refresh that the application wants early, too", async () => {
    const { app, userId, provider } = await createEncryptedApp(false)
    const { adapter } = app.config
    const updates: unknown[] = []
    const updateAccount: Adapter["updateAccount"] = (account) => {
      updates.push(account)
      return adapter?.updateAccount?.(account) ?? null
    }
    const config = { ...app.config, adapter: { ...adapter, updateAccount }, encryptTokens: true }
    await createAuth(config).getAccessToken({ userId }, "scripted", {
      refreshBefore: tokenLifetime,
    })
    expect(provider.tokenRequests).toHaveLength(1)
    expect(updates).toHaveLength(1)
  })

  test("can be turned off again", async () => {
    const { getToken, getTokenWith, provider, readAccount } = await createEncryptedApp()
    const { accessToken } = await getToken()
    expect((await getTokenWith({ encryptTokens: false })).accessToken).toBe(accessToken)
    await later(tokenLifetime, () => getTokenWith({ encryptTokens: false }))
    for (const name of tokenNames) expect(provider.secrets).toContain(readAccount()[name])
  })

  test("accepts an old secret, and seals under the new one", async () => {
    const { getToken, getTokenWith } = await createEncryptedApp()
    const { accessToken } = await getToken()
    const rotated = await getTokenWith({ secret: [nextSecret, oauthSecret] })
    expect(rotated.accessToken).toBe(accessToken)
    expect((await getTokenWith({ secret: nextSecret })).accessToken).toBe(accessToken)
  })

  test("without the secret, the user has to sign in again, and the log says why", async () => {
    const { app, getTokenWith } = await createEncryptedApp()
    await expect(getTokenWith({ secret: nextSecret })).rejects.toMatchObject({ needsSignIn: true })
    expect(app.readLog()).toContain("The stored access_token cannot be opened")
    expect(app.readLog()).toContain("Add the secret that sealed them")
  })

  test("a token that cannot be opened makes no other one unusable", async () => {
    const { getTokenWith, update } = await createEncryptedApp()
    await update({ access_token: "of a later sign-in" })
    const { accessToken } = await getTokenWith({ secret: nextSecret })
    expect(accessToken).toBe("of a later sign-in")
  })

  test("an ID token that cannot be opened stops no refresh", async () => {
    const { getToken, provider, readAccount, update } = await createEncryptedApp()
    const { accessToken } = await getToken()
    await update({ id_token: readAccount()["access_token"] })
    const refreshed = await later(tokenLifetime, () => getToken())
    expect(refreshed.accessToken).not.toBe(accessToken)
    expect(provider.secrets).toContain(refreshed.idToken)
  })

  test("the event of an unlinked account has its tokens as the provider issued them", async () => {
    const accounts: object[] = []
    const { app, userId, provider } = await createEncryptedApp()
    const events = {
      unlinkAccount: ({ account }: { account: object }) => void accounts.push(account),
    }
    const { accounts: linked } = createAuth({
      ...app.config,
      events,
      providers: [...app.config.providers, credentials({ authorize: () => null })],
    })
    const key = { provider: "scripted", providerAccountId: "ada" }
    const session = { createdAt: new Date() }
    await linked.unlink({ ...key, userId, session, hasCredentials: true })
    expect(accounts).toMatchObject([key])
    for (const name of tokenNames) expect(provider.secrets).toContain(Object(accounts[0])[name])
  })

  test("seals a token once, and again only under a new secret", async () => {
    const account = { provider: "scripted", providerAccountId: "ada", access_token: "a token" }
    const sealedAccount = await sealTokens(account, [oauthSecret])
    expect(await sealTokens(sealedAccount, [oauthSecret])).toEqual(sealedAccount)
    expect(await openTokens(sealedAccount, [oauthSecret])).toMatchObject({ isCurrent: true })
    const rotated = await openTokens(sealedAccount, [nextSecret, oauthSecret])
    expect(rotated).toMatchObject({ account, isCurrent: false, errors: [] })
  })

  test("accepts accounts whose id at the provider is a number", async () => {
    const account = { provider: "scripted", providerAccountId: 7 as unknown as string }
    const sealedAccount = await sealTokens({ ...account, access_token: "a token" }, [oauthSecret])
    expect(sealedAccount.access_token).toMatch(sealed)
    const { account: opened } = await openTokens(sealedAccount, [oauthSecret])
    expect(opened.access_token).toBe("a token")
  })

  test.each([
    ["at the same provider", { providerAccountId: "bob" }],
    ["at another provider", { provider: "other" }],
  ])("refuses a token that was moved to another account %s", async (_, other) => {
    const account = { provider: "scripted", providerAccountId: "ada", access_token: "a token" }
    const moved = { ...(await sealTokens(account, [oauthSecret])), ...other }
    const { account: opened, errors } = await openTokens(moved, [oauthSecret])
    expect(opened.access_token).toBe("")
    expect(errors).toEqual(["The stored access_token was sealed for another account or column"])
  })

  test("refuses a token that was moved to another column, or altered", async () => {
    const { getToken, readAccount, update } = await createEncryptedApp()
    const { access_token, refresh_token } = readAccount()
    await update({ access_token: refresh_token })
    await expect(getToken()).rejects.toMatchObject({ needsSignIn: true })
    await update({ access_token: `${String(access_token).slice(0, -4)}AAAA` })
    await expect(getToken()).rejects.toMatchObject({ needsSignIn: true })
    await update({ access_token })
    expect((await getToken()).accessToken).toMatch(/^access-/)
  })
})
