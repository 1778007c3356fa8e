import { describe, expect, test } from "vitest"
import { resolveProvider } from "../../src/providers/resolve-provider.ts"
import type { ResolvedOAuthProvider } from "../../src/providers/resolved-provider.ts"

const profile = { id: 7, login: "ada", email: "public@example.com" }
const addresses = [
  { email: "public@example.com", primary: false, verified: true },
  { email: "ada@example.com", primary: true, verified: true },
]

/** The object that `GitHub({ … })` of Auth.js returns, as far as it matters here. */
const createObject = (base = "https://github.com", api = "https://api.github.com") => ({
  id: "github",
  name: "GitHub",
  type: "oauth",
  issuer: `${base}/login/oauth`,
  userinfo: { url: `${api}/user`, request: async () => profile },
})

async function readAddress(entry: object, status = 200) {
  const provider = resolveProvider(entry, "providers[0]", undefined) as ResolvedOAuthProvider
  const requests: string[] = []
  const context = {
    tokens: { access_token: "1" },
    fetch: async (url: string) => {
      requests.push(url)
      return Response.json(addresses, { status })
    },
  }
  const read = (await provider.userinfo.request?.(context as never)) as Record<string, unknown>
  return { email: read["email"], isVerified: await provider.emailVerified(read), requests }
}

describe("the object of GitHub of Auth.js", () => {
  test.each([
    ["https://github.com", "https://api.github.com"],
    ["https://github.example.com", "https://github.example.com/api/v3"],
  ])("reads the primary address, and whether it is verified: %s", async (base, api) => {
    expect(await readAddress(createObject(base, api))).toEqual({
      email: "ada@example.com",
      isVerified: true,
      requests: [`${api}/user/emails`],
    })
  })

  test("proves nothing if the token does not grant access to the addresses", async () => {
    const { email, isVerified } = await readAddress(createObject(), 404)
    expect([email, isVerified]).toEqual(["public@example.com", false])
  })

  test.each([
    ["an application's own decision", { options: { emailVerified: false } }, false],
    ["another provider", { issuer: "https://git.example/login/oauth" }, undefined],
    [
      "another endpoint",
      { userinfo: { url: "https://a.example/user", request: () => profile } },
      undefined,
    ],
  ])("%s stays", async (_, changes, isVerified) => {
    const object = { ...createObject(), ...changes }
    if ("issuer" in changes) object.userinfo.url = "https://git.example/api/user"
    const read = await readAddress(object)
    expect(read).toEqual({ email: "public@example.com", isVerified, requests: [] })
  })
})
