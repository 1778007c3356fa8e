import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { expectSecretsUnlogged } from "../../support/oauth-app.ts"
import { dialects } from "./dialects.ts"
import { stand } from "./stand.ts"

const home = "https://app.example"

test("every provider of the catalogue has a dialect", () => {
  const folder = new URL("../../../src/providers/", import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"))
  const isOfCatalogue = (file: string) =>
    /@see https:/.test(readFileSync(new URL(file, folder), "utf8"))
  const ids = files.filter(isOfCatalogue).map((file) => file.replace(/\.ts$/, ""))
  expect(dialects.map(({ id }) => id).sort()).toEqual(ids.sort())
  expect(ids.length).toBeGreaterThanOrEqual(30)
})

describe.each(dialects)("$id", (dialect) => {
  test("asks for what it needs, where its documentation says", async () => {
    const { begin, provider } = await stand(dialect)
    const begun = await begin()
    expect(begun.origin + begun.pathname).toBe(dialect.endpoints.authorize)
    const parameters = begun.searchParams
    for (const [parameter, value] of Object.entries(dialect.asked)) {
      expect([parameter, parameters.get(parameter)]).toEqual([parameter, value])
    }
    const { clientId } = provider
    const own = dialect.renamed ? {} : { client_id: clientId }
    expect(Object.fromEntries(parameters)).toMatchObject({
      ...own,
      response_type: "code",
      redirect_uri: `${home}/auth/callback/${dialect.id}`,
    })
    expect(parameters.get("state")).toMatch(/^[\w.-]{22,}$/)
    const guards = ["code_challenge", "nonce"].filter((name) => parameters.has(name))
    expect(guards).toEqual(dialect.guards)
    expect(parameters.get("code_challenge_method")).toBe(
      guards.includes("code_challenge") ? "S256" : null,
    )
  })

  test("signs a person in, at its own endpoints and by its client authentication", async () => {
    const { at, alice, called, provider, signIn } = await stand(dialect)
    expect((await signIn()).headers.get("location"), at.log()).toBe(home)
    const { name, email, image } = dialect.user
    // The adapter's contract has no null for an address.
    expect(await alice.session()).toMatchObject({ user: { name, email: email ?? "", image } })
    expect(at.rows("User")).toMatchObject([{ name, email, image, emailVerified: null }])
    expect(at.rows("Account")).toMatchObject([
      { provider: dialect.id, providerAccountId: dialect.accountId },
    ])
    expect(provider.tokenRequests.map(({ clientAuth }) => clientAuth)).toEqual([dialect.clientAuth])
    const { discovery, token, jwks, userinfo } = dialect.endpoints
    const further = Object.keys(dialect.full.also ?? {})
    const expected = [discovery, token, jwks, userinfo, ...further]
    expect(called).toEqual(expected.filter((url) => url !== undefined))
    expectSecretsUnlogged(at, provider)
  })

  test("signs a person in who has neither address nor picture", async () => {
    const { at, signIn } = await stand(dialect, dialect.bare)
    expect((await signIn()).headers.get("location"), at.log()).toBe(home)
    expect(at.rows("User")).toMatchObject([{ name: dialect.bareName, email: null, image: null }])
  })
})
