import { Auth as AuthJs } from "@auth/core"
import { Auth } from "@latchkey/core"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createTestBrowser, type FetchHandler, getRedirectError } from "@latchkey/testing"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { impersonateProvider } from "./support/impersonated-provider.ts"
import {
  type OAuthProvider,
  type ProviderFixture,
  providerFixtures,
} from "./support/provider-fixtures.ts"
import { type AppConfig, baseConfig } from "./support/test-application.ts"

afterEach(() => vi.unstubAllGlobals())

const fixtures = Object.entries(providerFixtures).map(([id, fixture]) => ({ id, dialect: fixture }))

async function signInWithFixture(
  id: string,
  fixture: ProviderFixture,
  app: (provider: OAuthProvider) => FetchHandler,
) {
  const impersonated = await impersonateProvider(id, fixture)
  vi.stubGlobal("fetch", impersonated.globalFetch)
  const testBrowser = createTestBrowser(app(impersonated.provider))
  const authorizationUrl = await testBrowser.startSignIn(id)
  const response = await testBrowser.open(impersonated.approve(authorizationUrl))
  return {
    ...impersonated,
    visitor: testBrowser,
    begun: authorizationUrl,
    answer: response,
    session: await testBrowser.getSession(),
  }
}

describe.each(fixtures)("the provider object $id of Auth.js", ({ id, dialect: fixture }) => {
  test("signs in with Latchkey, and returns the same user as with Auth.js", async () => {
    const errors: unknown[] = []
    const logger = { error: (...line: unknown[]) => void errors.push(line) }
    const latchkeyResult = await signInWithFixture(id, fixture, (provider) => {
      const config = { ...baseConfig, providers: [provider], logger }
      return (request) => Auth(request, config)
    })
    expect(errors).toEqual([])
    expect(getRedirectError(latchkeyResult.answer)).toBeNull()
    expect(latchkeyResult.session?.user).toEqual(fixture.expectedUser)

    const authjsResult = await signInWithFixture(id, fixture, (provider) => (request) => {
      return AuthJs(request, { ...baseConfig, providers: [provider] })
    })
    expect(authjsResult.session?.user).toMatchObject(withoutNulls(fixture.expectedUser))
  })

  test("is stored once under the same account id", async () => {
    const database = openSqlite(":memory:")
    onTestFinished(() => database.close())
    await migrate(database)
    const app = (provider: OAuthProvider): FetchHandler => {
      const config: AppConfig = {
        ...baseConfig,
        providers: [provider],
        adapter: SqlAdapter(database),
      }
      return (request) => Auth(request, config)
    }
    const first = await signInWithFixture(id, fixture, app)
    const again = await signInWithFixture(id, fixture, app)
    expect(first.session?.user).toEqual(fixture.expectedUser)
    expect(again.session?.user).toEqual(fixture.expectedUser)
    const accounts = database.prepare(`select provider, providerAccountId from "Account"`).all()
    expect(accounts).toEqual([{ provider: id, providerAccountId: fixture.accountId }])
  })

  test("sends the documented requests through the application's `fetch`", async () => {
    const {
      scripted,
      requests,
      begun: authorizationUrl,
    } = await signInWithFixture(id, fixture, (provider) => {
      const config = { ...baseConfig, providers: [provider] }
      return (request) => Auth(request, config)
    })
    const request = authorizationUrl.searchParams
    expect(request.get("scope")).toBe(fixture.scope)
    expect(request.get("redirect_uri")).toBe(`https://app.example/auth/callback/${id}`)
    expect(request.has("state")).toBe(true)
    expect(request.has("code_challenge") || request.has("nonce")).toBe(true)
    expect(scripted.tokenRequests.map(({ clientAuth }) => clientAuth)).toEqual([fixture.clientAuth])
    // Requests of the object's own functions are not checked.
    const providerOrigins = ["https://api.github.com/", "https://graph.microsoft.com/"]
    const unroutedRequests = requests.filter(
      ({ by, url }) => by === "global" && !providerOrigins.some((each) => url.startsWith(each)),
    )
    expect(unroutedRequests).toEqual([])
  })
})

/** Removes members without a value, which Auth.js omits. */
function withoutNulls(user: ProviderFixture["expectedUser"]): object {
  return Object.fromEntries(Object.entries(user).filter(([, value]) => value !== null))
}
