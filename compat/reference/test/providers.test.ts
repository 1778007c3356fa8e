import { Auth as ReferenceAuth } from "@auth/core"
import { Auth } from "@latchkey/core"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { type App, browser, errorOf } from "@latchkey/testing"
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { type Dialect, dialects, type OAuthProvider } from "./support/dialects.ts"
import { type Config, common } from "./support/house.ts"
import { impersonate } from "./support/impersonation.ts"

afterEach(() => vi.unstubAllGlobals())

const table = Object.entries(dialects).map(([id, dialect]) => ({ id, dialect }))

async function signedIn(id: string, dialect: Dialect, app: (provider: OAuthProvider) => App) {
  const played = await impersonate(id, dialect)
  vi.stubGlobal("fetch", played.globalFetch)
  const visitor = browser(app(played.provider))
  const begun = await visitor.begin(id)
  const answer = await visitor.open(played.approve(begun))
  return { ...played, visitor, begun, answer, session: await visitor.session() }
}

describe.each(table)("the provider object $id of the reference library", ({ id, dialect }) => {
  test("signs in on our core, and gives the person that it gives on its own", async () => {
    const errors: unknown[] = []
    const logger = { error: (...line: unknown[]) => void errors.push(line) }
    const ours = await signedIn(id, dialect, (provider) => {
      const config = { ...common, providers: [provider], logger }
      return (request) => Auth(request, config)
    })
    expect(errors).toEqual([])
    expect(errorOf(ours.answer)).toBeNull()
    expect(ours.session?.user).toEqual(dialect.user)

    const theirs = await signedIn(id, dialect, (provider) => (request) => {
      return ReferenceAuth(request, { ...common, providers: [provider] })
    })
    expect(theirs.session?.user).toMatchObject(present(dialect.user))
  })

  test("is stored under its own account id, once", async () => {
    const database = openSqlite(":memory:")
    onTestFinished(() => database.close())
    await migrate(database)
    const app = (provider: OAuthProvider): App => {
      const config: Config = { ...common, providers: [provider], adapter: SqlAdapter(database) }
      return (request) => Auth(request, config)
    }
    const first = await signedIn(id, dialect, app)
    const again = await signedIn(id, dialect, app)
    expect(first.session?.user).toEqual(dialect.user)
    expect(again.session?.user).toEqual(dialect.user)
    const accounts = database.prepare(`select provider, providerAccountId from "Account"`).all()
    expect(accounts).toEqual([{ provider: id, providerAccountId: dialect.account }])
  })

  test("asks for what the provider documents, through the `fetch` of the application", async () => {
    const { scripted, asked, begun } = await signedIn(id, dialect, (provider) => {
      const config = { ...common, providers: [provider] }
      return (request) => Auth(request, config)
    })
    const request = begun.searchParams
    expect(request.get("scope")).toBe(dialect.scope)
    expect(request.get("redirect_uri")).toBe(`https://app.example/auth/callback/${id}`)
    expect(request.has("state")).toBe(true)
    expect(request.has("code_challenge") || request.has("nonce")).toBe(true)
    expect(scripted.tokenRequests.map(({ clientAuth }) => clientAuth)).toEqual([dialect.clientAuth])
    // What the object's own functions ask by themselves is their affair.
    const own = ["https://api.github.com/", "https://graph.microsoft.com/"]
    const past = asked.filter(
      ({ by, url }) => by === "global" && !own.some((each) => url.startsWith(each)),
    )
    expect(past).toEqual([])
  })
})

/** What has a value: the reference library leaves out the rest. */
function present(user: Dialect["user"]): object {
  return Object.fromEntries(Object.entries(user).filter(([, value]) => value !== null))
}
