import { AssertionError } from "node:assert"
import type { ConformanceCase } from "@latchkey/testing"
import { adapterCases, adapterConformance } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import type { MemoryAdapter } from "./memory-adapter.ts"
import { memoryAdapter } from "./memory-adapter.ts"

describe("an adapter that keeps its promises passes", () => {
  adapterConformance({ test, connect: memoryAdapter, webauthn: true })
})

describe("an adapter that shares its rows between cases passes in any order", () => {
  const shared = memoryAdapter()
  for (const { name, run } of adapterCases.toReversed()) test(name, () => run(shared))
})

/** The adapter with a flaw. */
type Flaw = (
  good: MemoryAdapter,
  db: ReturnType<typeof memoryAdapter>["db"],
) => Partial<MemoryAdapter>

const pause = () => new Promise((resolve) => setTimeout(resolve, 1))

const flaws: Record<string, [flaw: Flaw, caughtBy: RegExp]> = {
  "forgets a method": [() => ({ updateSession: undefined as never }), /^1 /],
  "turns Dates into texts": [
    (good) => ({
      createUser: (user) =>
        good.createUser({ ...user, emailVerified: String(user.emailVerified) as never }),
    }),
    /^2 createUser stores what/,
  ],
  "takes an address twice": [
    (good) => ({ createUser: (user) => good.createUser({ ...user, email: `${user.email} ` }) }),
    /^2 /,
  ],
  "takes one user without address only": [
    (good) => ({ createUser: (user) => good.createUser({ ...user, email: user.email ?? "" }) }),
    /^2 createUser stores any/,
  ],
  "answers undefined for nothing": [
    (good) => ({ getUser: async (id) => (await good.getUser(id)) ?? (undefined as never) }),
    /^3 /,
  ],
  "finds anybody by address": [
    (good) => ({ getUserByEmail: async () => good.createUser({} as never) }),
    /^4 /,
  ],
  "rounds the expiry of a session": [
    (good) => ({
      createSession: (session) => good.createSession({ ...session, expires: new Date(0) }),
    }),
    /^5 /,
  ],
  "adds fields to a session and its user": [
    (good) => ({
      getSessionAndUser: async (token) => {
        const found = await good.getSessionAndUser(token)
        return found && { ...found, extra: true }
      },
    }),
    /^6 /,
  ],
  "erases what an update does not name": [
    (good) => ({ updateUser: (user) => good.updateUser({ image: null, ...user }) }),
    /^7 /,
  ],
  "does not store an update": [() => ({ updateSession: async () => null }), /^8 /],
  "drops a token field": [
    (good) => ({
      linkAccount: ({ session_state: _, ...account }) => good.linkAccount(account as never),
    }),
    /^9 linkAccount stores every/,
  ],
  "relinks an account": [
    (good) => ({
      linkAccount: async (account) => {
        await good.unlinkAccount(account)
        await good.linkAccount(account)
      },
    }),
    /^9 linkAccount rejects/,
  ],
  "ignores the provider of an account": [
    (good) => ({
      getUserByAccount: ({ providerAccountId }) =>
        good.getUserByAccount({ provider: "spotify", providerAccountId }),
    }),
    /^10 /,
  ],
  "keeps a deleted session": [() => ({ deleteSession: async () => undefined }), /^11 /],
  "keeps one token an address": [
    (good) => {
      const last = new Map<string, string>()
      return {
        createVerificationToken: async (token) => {
          const before = last.get(token.identifier)
          if (before)
            await good.useVerificationToken({ identifier: token.identifier, token: before })
          last.set(token.identifier, token.token)
          return good.createVerificationToken(token)
        },
      }
    },
    /^13 createVerificationToken keeps/,
  ],
  "gives a token with its id": [
    (good) => ({
      useVerificationToken: async (key) => {
        const used = await good.useVerificationToken(key)
        return used && { ...used, id: "1" }
      },
    }),
    /^14 useVerificationToken gives the token/,
  ],
  "gives a token twice": [
    (good) => ({
      useVerificationToken: async (key) => {
        const used = await good.useVerificationToken(key)
        if (used) await good.createVerificationToken(used)
        return used
      },
    }),
    /^14 /,
  ],
  "keeps an unlinked account": [() => ({ unlinkAccount: async () => undefined }), /^16 /],
  "keeps a deleted user": [() => ({ deleteUser: async () => undefined }), /^17 /],
  "reads and deletes tokens in two steps": [
    (good, db) => ({
      useVerificationToken: async (key) => {
        const row = db.verificationToken(key)
        await pause()
        await good.useVerificationToken(key)
        return row ? { ...row } : null
      },
    }),
    /^of 64/,
  ],
  "checks for an account in two steps": [
    (good) => ({
      linkAccount: async (account) => {
        if (await good.getUserByAccount(account)) throw new Error("taken")
        await pause()
        await good.unlinkAccount(account)
        await good.linkAccount(account)
      },
    }),
    /^of two users who link/,
  ],
  "checks for an address in two steps": [
    (good) => ({
      createUser: async (user) => {
        if (await good.getUserByEmail(user.email)) throw new Error("taken")
        await pause()
        const { id } = await good.createUser({ ...user, email: undefined as never })
        return good.updateUser({ ...user, id })
      },
    }),
    /^of two users who are created/,
  ],
  "ignores the provider of a passkey's account": [
    (good) => ({ getAccount: (id) => good.getAccount(id, "spotify") }),
    /^18 /,
  ],
  "forgets how a passkey travels": [
    (good) => ({
      createAuthenticator: ({ transports: _, ...passkey }) => good.createAuthenticator(passkey),
    }),
    /^19 /,
  ],
  "finds passkeys that are not there": [
    () => ({ getAuthenticator: async () => ({}) as never }),
    /^20 /,
  ],
  "lists everybody's passkeys": [
    () => ({ listAuthenticatorsByUserId: async () => [{}] as never }),
    /^21 /,
  ],
  "counts nothing": [
    (good) => ({
      updateAuthenticatorCounter: async (id) => (await good.getAuthenticator(id)) as never,
    }),
    /^22 /,
  ],
}

describe("an adapter with a flaw fails", () => {
  test.each(Object.entries(flaws))("it %s", async (_, [flaw, caughtBy]) => {
    const caught: string[] = []
    for (const each of adapterCases) {
      const { adapter, db } = memoryAdapter()
      if (await fails(each, { ...adapter, ...flaw(adapter, db) }, db)) caught.push(each.name)
    }
    expect(
      caught.some((name) => caughtBy.test(name)),
      caught.join("\n"),
    ).toBe(true)
  })
})

describe("the suite", () => {
  const registered = (options: object): string[] => {
    const names: string[] = []
    const test = (name: string): void => void names.push(name)
    adapterConformance({ test, connect: memoryAdapter, ...options })
    return names
  }

  test("covers each point of the contract", () => {
    const points = new Set(adapterCases.map(({ name }) => Number.parseInt(name, 10)))
    for (let point = 1; point <= 22; point += 1) expect([...points]).toContain(point)
    expect(new Set(adapterCases.map(({ name }) => name)).size).toBe(adapterCases.length)
  })

  test("leaves passkeys out unless asked for, and skips what it is told to", () => {
    expect(registered({}).some((name) => name.startsWith("22"))).toBe(false)
    const [first = ""] = registered({ webauthn: true })
    expect(registered({ skip: [first] })).not.toContain(first)
    expect(() => registered({ skip: ["no such case"] })).toThrow(TypeError)
  })
})

async function fails(
  each: ConformanceCase,
  adapter: MemoryAdapter,
  db: ReturnType<typeof memoryAdapter>["db"],
): Promise<boolean> {
  try {
    await each.run({ adapter, db })
    return false
  } catch (error) {
    return error instanceof AssertionError || error instanceof Error
  }
}
