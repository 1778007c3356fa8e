/** Small differences from Auth.js that applications would notice: each test runs both and compares them. */
import {
  Auth as AuthJs,
  createActionURL as createAuthJsActionURL,
  setEnvDefaults as setAuthJsEnvDefaults,
} from "@auth/core"
import authjsGitHub from "@auth/core/providers/github"
import { createActionURL, Auth as Latchkey, setEnvDefaults } from "@latchkey/core"
import { createTestBrowser, type FetchHandler, withFrozenTime } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { kyselySetup } from "./support/databases/kysely.ts"
import {
  createLibrarySwitch,
  type LibraryName,
  type SharedConfig,
} from "./support/library-switch.ts"
import { baseConfig } from "./support/test-application.ts"

const libraries: readonly LibraryName[] = ["authjs", "latchkey"]
const day = 86_400_000

/** Returns the results of both libraries: that of Auth.js, and ours. */
async function runBoth<T>(run: (library: LibraryName) => Promise<T>): Promise<[T, T]> {
  return [await run("authjs"), await run("latchkey")]
}

async function createStoredSite(library: LibraryName, changes: Partial<SharedConfig>) {
  const database = await kyselySetup.openDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  const site = await createLibrarySwitch(
    { session: { strategy: "database" }, ...changes },
    database,
  )
  site.switchTo(library)
  const browser = site.openBrowser()
  return { site, browser }
}

/** The times are different in each run. */
const replaceTimes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (_, item) =>
    typeof item === "string" && /^\d{4}-\d\d-\d\dT/.test(item) ? "a time" : item,
  )

describe("the session as JSON has the keys of the user", () => {
  test.each([
    ["a name", { id: "1", name: "Ada" }],
    ["an address", { id: "1", email: "ada@example.com" }],
    ["null", { id: "1", name: "Ada", email: null, image: null }],
  ])("with %s", async (_, user) => {
    const [theirs, ours] = await runBoth(async (library) => {
      const provider = {
        id: "form",
        name: "Form",
        type: "credentials" as const,
        credentials: { word: {} },
        authorize: () => user,
      }
      const config = { ...baseConfig, providers: [provider] }
      const app: FetchHandler = (request) =>
        library === "authjs" ? AuthJs(request, config) : Latchkey(request, config)
      const browser = createTestBrowser(app)
      await browser.signIn("form", { word: "x" })
      return browser.getSession()
    })
    expect(theirs?.user).toBeDefined()
    expect(replaceTimes(ours)).toEqual(replaceTimes(theirs))
  })
})

test("the `session` callback of a database session gets the same parameters", async () => {
  const [theirs, ours] = await runBoth(async (library) => {
    const calls: unknown[] = []
    const { site, browser } = await createStoredSite(library, {
      callbacks: {
        session: (params) => {
          const { session, newSession, trigger } = params
          const expires: unknown = session.expires
          const age = expires instanceof Date ? expires.getTime() - Date.now() : expires
          const days = typeof age === "number" ? Math.round(age / day) : age
          calls.push([Object.hasOwn(params, "newSession"), newSession, trigger, days])
          return session
        },
      },
    })
    await browser.signIn(site.provider)
    await browser.getSession()
    await withFrozenTime(Date.now() + 5 * day, async () => {
      await browser.getSession()
      await browser.getSession()
      await browser.updateSession({ name: "Countess" })
    })
    expect(site.errors).toEqual([])
    return calls
  })
  expect(theirs).toHaveLength(4)
  expect(ours).toEqual(theirs)
})

test.each([null, undefined])(
  "an adapter whose updateSession returns %s signs nobody out",
  async (result) => {
    const names = await runBoth(async (library) => {
      const { site, browser } = await createStoredSite(library, {})
      const { adapter } = site.config
      const updateSession = adapter?.updateSession?.bind(adapter)
      site.config.adapter = {
        ...adapter,
        updateSession: async (session) => {
          await updateSession?.(session)
          return result
        },
      }
      await browser.signIn(site.provider)
      return withFrozenTime(Date.now() + 2 * day, async () => {
        await browser.getSession()
        return (await browser.getSession())?.user?.name
      })
    })
    expect(names).toEqual(["Ada Lovelace", "Ada Lovelace"])
  },
)

test("setEnvDefaults puts the client where Auth.js puts it", async () => {
  const env = { AUTH_GITHUB_ID: "id", AUTH_GITHUB_SECRET: "word", AUTH_SECRET: baseConfig.secret }
  for (const createProviders of [() => [authjsGitHub], () => [authjsGitHub({})]]) {
    const theirs = { providers: createProviders() }
    const ours = { providers: createProviders() }
    setAuthJsEnvDefaults(env, theirs)
    setEnvDefaults(env, ours)
    const [theirProvider, ourProvider] = [theirs.providers[0], ours.providers[0]]
    expect(theirProvider).toMatchObject({ clientId: "id", clientSecret: "word" })
    expect(ourProvider).toMatchObject({ clientId: "id", clientSecret: "word" })
    expect(Object(ourProvider).options).toEqual(Object(theirProvider).options)
  }
})

test("createActionURL assumes https if the protocol is unknown", () => {
  const headers = new Headers({ host: "app.example" })
  const parameters = [
    "signin",
    undefined as unknown as string,
    headers,
    {},
    { basePath: "/auth" },
  ] as const
  const urls = [createAuthJsActionURL(...parameters), createActionURL(...parameters)].map(String)
  expect(urls).toEqual(libraries.map(() => "https://app.example/auth/signin"))
})
