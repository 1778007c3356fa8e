/** `secret`: security case 25, rotation, and the secret for tokens. */
import { createAuth, setEnvDefaults } from "@latchkey/core"
import { browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ask, bareSite, home, rightWord, type SiteConfig } from "../support/front-door.ts"

const older = "the older of the secrets of this site"
const newer = "the newer of the secrets of this site"
const other = "quite another secret of another site!"

/** A browser in which somebody signed in under one configuration, and what another one makes of it. */
async function moved(from: Partial<SiteConfig>, to: Partial<SiteConfig>) {
  let handle = createAuth(bareSite(from).config).handle
  const alice = browser((request) => handle(request))
  await alice.signIn("credentials", rightWord)
  const csrfToken = await alice.csrf()
  handle = createAuth(bareSite(to).config).handle
  return { alice, csrfToken }
}

describe("25 a secret that is of no use", () => {
  const { secret: _, ...without } = bareSite().config
  const useless: [string, SiteConfig, string][] = [
    ["missing", without, "MissingSecret"],
    ["empty", bareSite({ secret: "" }).config, "MissingSecret"],
    ["an empty list", bareSite({ secret: [] }).config, "MissingSecret"],
    ["a list of empty texts", bareSite({ secret: [""] }).config, "MissingSecret"],
    ["too short", bareSite({ secret: "s".repeat(31) }).config, "WeakSecret"],
    ["too short, beside a good one", bareSite({ secret: [newer, "short"] }).config, "WeakSecret"],
  ]

  test.each(useless)("25 %s: every request is refused", async (_, config, type) => {
    for (const action of ["session", "csrf", "providers", "signin", "signout"]) {
      for (const method of ["GET", "POST"]) {
        const answer = await ask(config, `/auth/${action}`, { method })
        expect([action, method, answer.status]).toEqual([action, method, 500])
      }
    }
    const { session } = createAuth(config)
    await expect(session(new Headers(), home)).rejects.toMatchObject({ type })
  })

  test("25 missing in the environment as well", async () => {
    const config = { ...without }
    setEnvDefaults({ AUTH_SECRET: "" }, config)
    expect((await ask(config, "/auth/session")).status).toBe(500)
  })

  test("25 of 32 characters is long enough", async () => {
    const { config } = bareSite({ secret: "of thirty-two characters exactly" })
    expect((await ask(config, "/auth/session")).status).toBe(200)
  })
})

describe("a list of secrets", () => {
  test.each<[string, string | string[], string | string[]]>([
    ["a text and a list of one", older, [older]],
    ["the older one behind the newer one", older, [newer, older]],
    ["the older one behind two newer ones", older, [other, newer, older]],
    ["the other order", [newer, older], [older, newer]],
  ])("accepts what any of them made: %s", async (_, from, to) => {
    const { alice, csrfToken } = await moved({ secret: from }, { secret: to })
    expect(await alice.session()).toMatchObject({ user: { name: "Ada" } })
    const answer = await alice.post("/auth/signout", { csrfToken })
    expect(answer.headers.get("location")).toBe(home)
  })

  test.each<[string, string | string[], string | string[]]>([
    ["another one", older, newer],
    ["a list without it", older, [newer, other]],
    ["what a list made, under its second one only", [newer, older], older],
  ])("accepts nothing else: %s", async (_, from, to) => {
    const { alice } = await moved({ secret: from }, { secret: to })
    expect(await alice.session()).toBeNull()
  })
})

describe("jwt.secret", () => {
  test("is for session tokens, in place of `secret`", async () => {
    const { alice } = await moved(
      { secret: older, jwt: { secret: other } },
      { secret: newer, jwt: { secret: other } },
    )
    expect(await alice.session()).toMatchObject({ user: { name: "Ada" } })
  })

  test("is not for forms", async () => {
    const { alice, csrfToken } = await moved(
      { secret: older, jwt: { secret: other } },
      { secret: newer, jwt: { secret: other } },
    )
    const answer = await alice.post("/auth/signout", { csrfToken })
    expect(answer.headers.get("location")).toMatch("error=MissingCSRF")
  })
})

test("the order of the environment's secrets is that of a rotation", async () => {
  const { secret: _, ...config } = bareSite().config
  const before: SiteConfig = { ...config }
  const after: SiteConfig = { ...config }
  setEnvDefaults({ AUTH_SECRET: older }, before)
  setEnvDefaults({ AUTH_SECRET: older, AUTH_SECRET_1: newer }, after)
  const { alice } = await moved(before, after)
  expect(await alice.session()).toMatchObject({ user: { name: "Ada" } })
  const later = await moved(after, { secret: newer })
  expect(await later.alice.session()).toMatchObject({ user: { name: "Ada" } })
})
