/** `adapter`: the methods that a configuration requires, and adapters that are class instances. */
import { createAuth } from "@latchkey/core"
import type { Adapter, AdapterAccount, AdapterSession, AdapterUser } from "@latchkey/core/adapters"
import type { Provider } from "@latchkey/core/providers"
import type { SqlAdapter } from "@latchkey/sql"
import { createScriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { emailProvider, oidcProvider } from "../support/broken-configurations.ts"
import {
  createDatabaseAdapter,
  createMinimalSite,
  passwordProvider,
  siteOrigin,
  type TestSiteConfig,
} from "../support/test-site.ts"

describe("the methods of an adapter", () => {
  const users = ["createUser", "getUserByEmail", "getUserByAccount", "linkAccount"]
  const sessions = [
    "getUser",
    "createSession",
    "getSessionAndUser",
    "updateSession",
    "deleteSession",
  ]

  /** Returns the error for an adapter that lacks a method. */
  async function missing(method: string, changes: Partial<TestSiteConfig>): Promise<unknown> {
    const { [method]: _, ...rest }: Adapter & Record<string, unknown> = {
      ...(await createDatabaseAdapter()),
    }
    const adapter: Adapter = rest
    const { getSession } = createAuth(createMinimalSite({ ...changes, adapter }).config)
    return getSession({ headers: new Headers(), url: siteOrigin }).then(
      () => undefined,
      (error: unknown) => error,
    )
  }

  test.each<[string, Provider[], "jwt" | "database", string[]]>([
    ["a provider", [oidcProvider], "database", [...users, ...sessions]],
    ["a provider, sessions in cookies", [oidcProvider], "jwt", users],
    [
      "e-mail",
      [emailProvider],
      "database",
      [...users, "updateUser", ...sessions, "createVerificationToken", "useVerificationToken"],
    ],
    ["credentials", [passwordProvider()], "database", sessions],
    ["credentials, sessions in cookies", [passwordProvider()], "jwt", []],
  ])("are required for %s", async (_, providers, strategy, needed) => {
    const names = Object.keys(await createDatabaseAdapter())
    for (const name of names) {
      const error = await missing(name, { providers, session: { strategy } })
      const expected = { type: "MissingAdapterMethods", cause: { methods: [name] } }
      if (needed.includes(name)) expect([name, error]).toMatchObject([name, expected])
      else expect([name, error]).toEqual([name, undefined])
    }
  })
})

/** Like the adapters of object-relational mappers: methods on the prototype, state in private fields. */
class ClassAdapter {
  readonly #inner: SqlAdapter
  constructor(inner: SqlAdapter) {
    this.#inner = inner
  }
  createUser(user: AdapterUser) {
    return this.#inner.createUser(user)
  }
  getUser(id: string) {
    return this.#inner.getUser(id)
  }
  getUserByEmail(email: string) {
    return this.#inner.getUserByEmail(email)
  }
  getUserByAccount(key: Parameters<Required<Adapter>["getUserByAccount"]>[0]) {
    return this.#inner.getUserByAccount(key)
  }
  updateUser(user: Parameters<Required<Adapter>["updateUser"]>[0]) {
    return this.#inner.updateUser(user)
  }
  linkAccount(account: AdapterAccount) {
    return this.#inner.linkAccount(account)
  }
}

class SessionClassAdapter extends ClassAdapter {
  readonly #inner: SqlAdapter
  constructor(inner: SqlAdapter) {
    super(inner)
    this.#inner = inner
  }
  createSession(session: AdapterSession) {
    return this.#inner.createSession(session)
  }
  getSessionAndUser(token: string) {
    return this.#inner.getSessionAndUser(token)
  }
  updateSession(session: Parameters<Required<Adapter>["updateSession"]>[0]) {
    return this.#inner.updateSession(session)
  }
  deleteSession(token: string) {
    return this.#inner.deleteSession(token)
  }
}

describe("an adapter that is an instance of a class", () => {
  test("can inherit methods, and keeps its `this`", async () => {
    const provider = await createScriptedProvider()
    const adapter = new SessionClassAdapter(await createDatabaseAdapter())
    const { openBrowser, log } = createMinimalSite({
      providers: [provider.asOidc()],
      adapter,
    })
    const alice = openBrowser()
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    await alice.signOut()
    expect(await alice.getSession()).toBeNull()
    expect(log.errorCodes).toEqual([])
  })

  test("is refused with the names of missing methods", async () => {
    const adapter = new ClassAdapter(await createDatabaseAdapter())
    const { log, config } = createMinimalSite({ providers: [oidcProvider], adapter })
    createAuth(config)
    expect(log.lines.flat()).toContainEqual(
      expect.objectContaining({
        cause: expect.objectContaining({
          methods: ["createSession", "getSessionAndUser", "updateSession", "deleteSession"],
          expected: expect.stringContaining("deleteSession"),
        }),
        hint: expect.any(String),
      }),
    )
  })

  test("needs no session methods for sessions in cookies", async () => {
    const provider = await createScriptedProvider()
    const adapter = new ClassAdapter(await createDatabaseAdapter())
    const session = { strategy: "jwt" as const }
    const alice = createMinimalSite({
      providers: [provider.asOidc()],
      adapter,
      session,
    }).openBrowser()
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })
})
