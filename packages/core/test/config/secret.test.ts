/** `secret`: missing and weak secrets, rotation, and the secret for tokens. */
import { createAuth, setEnvDefaults } from "@latchkey/core"
import { createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createMinimalSite,
  sendRequest,
  siteOrigin,
  type TestSiteConfig,
  validCredentials,
} from "../support/test-site.ts"

const olderSecret = "the older of the secrets of this site"
const newerSecret = "the newer of the secrets of this site"
const otherSecret = "quite another secret of another site!"

/** Signs in with one configuration, and continues with another one. */
async function signInAndChangeConfig(from: Partial<TestSiteConfig>, to: Partial<TestSiteConfig>) {
  let handle = createAuth(createMinimalSite(from).config).handle
  const alice = createTestBrowser((request) => handle(request))
  await alice.signIn("credentials", validCredentials)
  const csrfToken = await alice.getCsrfToken()
  handle = createAuth(createMinimalSite(to).config).handle
  return { alice, csrfToken }
}

describe("a missing or weak secret", () => {
  const { secret: _, ...without } = createMinimalSite().config
  const useless: [string, TestSiteConfig, string][] = [
    ["missing", without, "MissingSecret"],
    ["empty", createMinimalSite({ secret: "" }).config, "MissingSecret"],
    ["an empty list", createMinimalSite({ secret: [] }).config, "MissingSecret"],
    ["a list of empty texts", createMinimalSite({ secret: [""] }).config, "MissingSecret"],
    ["too short", createMinimalSite({ secret: "s".repeat(31) }).config, "WeakSecret"],
    [
      "too short, next to a valid one",
      createMinimalSite({ secret: [newerSecret, "short"] }).config,
      "WeakSecret",
    ],
  ]

  test.each(useless)("refuses every request: %s", async (_, config, type) => {
    for (const action of ["session", "csrf", "providers", "signin", "signout"]) {
      for (const method of ["GET", "POST"]) {
        const response = await sendRequest(config, `/auth/${action}`, { method })
        expect([action, method, response.status]).toEqual([action, method, 500])
      }
    }
    const { getSession } = createAuth(config)
    await expect(getSession({ headers: new Headers(), url: siteOrigin })).rejects.toMatchObject({
      type,
    })
  })

  test("refuses requests if the environment has none either", async () => {
    const config = { ...without }
    setEnvDefaults({ AUTH_SECRET: "" }, config)
    expect((await sendRequest(config, "/auth/session")).status).toBe(500)
  })

  test("is not one with 32 characters", async () => {
    const { config } = createMinimalSite({ secret: "of thirty-two characters exactly" })
    expect((await sendRequest(config, "/auth/session")).status).toBe(200)
  })
})

describe("a list of secrets", () => {
  test.each<[string, string | string[], string | string[]]>([
    ["a text and a list of one", olderSecret, [olderSecret]],
    ["the older one behind the newer one", olderSecret, [newerSecret, olderSecret]],
    ["the older one behind two newer ones", olderSecret, [otherSecret, newerSecret, olderSecret]],
    ["the other order", [newerSecret, olderSecret], [olderSecret, newerSecret]],
  ])("accepts sessions and forms of each secret: %s", async (_, from, to) => {
    const { alice, csrfToken } = await signInAndChangeConfig({ secret: from }, { secret: to })
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
    const response = await alice.post("/auth/signout", { csrfToken })
    expect(response.headers.get("location")).toBe(siteOrigin)
  })

  test.each<[string, string | string[], string | string[]]>([
    ["another one", olderSecret, newerSecret],
    ["a list without it", olderSecret, [newerSecret, otherSecret]],
    ["what a list made, under its second one only", [newerSecret, olderSecret], olderSecret],
  ])("refuses sessions of other secrets: %s", async (_, from, to) => {
    const { alice } = await signInAndChangeConfig({ secret: from }, { secret: to })
    expect(await alice.getSession()).toBeNull()
  })
})

describe("jwt.secret", () => {
  test("replaces `secret` for session tokens", async () => {
    const { alice } = await signInAndChangeConfig(
      { secret: olderSecret, jwt: { secret: otherSecret } },
      { secret: newerSecret, jwt: { secret: otherSecret } },
    )
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test("is not used for forms", async () => {
    const { alice, csrfToken } = await signInAndChangeConfig(
      { secret: olderSecret, jwt: { secret: otherSecret } },
      { secret: newerSecret, jwt: { secret: otherSecret } },
    )
    const response = await alice.post("/auth/signout", { csrfToken })
    expect(response.headers.get("location")).toMatch("error=MissingCSRF")
  })
})

test("secrets from the environment can be rotated", async () => {
  const { secret: _, ...config } = createMinimalSite().config
  const before: TestSiteConfig = { ...config }
  const after: TestSiteConfig = { ...config }
  setEnvDefaults({ AUTH_SECRET: olderSecret }, before)
  setEnvDefaults({ AUTH_SECRET: olderSecret, AUTH_SECRET_1: newerSecret }, after)
  const { alice } = await signInAndChangeConfig(before, after)
  expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
  const later = await signInAndChangeConfig(after, { secret: newerSecret })
  expect(await later.alice.getSession()).toMatchObject({ user: { name: "Ada" } })
})
