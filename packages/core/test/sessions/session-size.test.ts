/** Claims that need more cookies than servers accept. */
import { createAuth } from "@latchkey/core"
import { SessionTooLarge } from "@latchkey/core/errors"
import { encode } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import { createScriptedProvider, createTestBrowser, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { sessionCookieName } from "../support/forged-tokens.ts"
import { createOAuthApp } from "../support/oauth-app.ts"
import { createPasswordApp, password, secret } from "../support/password-app.ts"

const secretValue = "a value that nobody may see"

/** An application whose `jwt` callback adds claims of a size, in characters. */
function createSizedApp() {
  const state = { size: 0 }
  const app = createPasswordApp({
    session: { updateAge: 0 },
    callbacks: {
      jwt: ({ token, session }: { token: JWT; session?: { size: number } }) => ({
        ...token,
        groups: secretValue.repeat((session?.size ?? state.size) / secretValue.length),
        note: "short",
      }),
    },
  })
  return { app, state }
}

describe("a session of more than 12 KB", () => {
  test("is not started, and the error names the largest claims, not their values", async () => {
    const { app, state } = createSizedApp()
    state.size = 20_000
    const alice = app.openBrowser()
    const response = await alice.signIn("credentials", { name: "ada", password })
    expect(getRedirectError(response)).toBe("Configuration")
    expect(await alice.getSession()).toBeNull()
    expect(app.errorCodes).toEqual(["SessionTooLarge"])
    const log = app.lines.join()
    expect(log).toMatch(
      /Expected a session of at most 12 KB\. Received: .*groups.* with 19\d{3} ch/,
    )
    expect(log).not.toContain(secretValue)
  })

  test("does not replace the one of the browser", async () => {
    const { app, state } = createSizedApp()
    const alice = await app.openSignedInBrowser("ada")
    state.size = 20_000
    await alice.signIn("credentials", { name: "bob", password })
    state.size = 0
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("does not result from an update, which fails", async () => {
    const { app } = createSizedApp()
    const alice = await app.openSignedInBrowser()
    expect((await alice.updateSession({ size: 20_000 })).status).toBe(503)
    expect(app.errorCodes).toEqual(["SessionTooLarge"])
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    expect((await alice.updateSession({ size: 5000 })).status).toBe(200)
    const cookie = [...alice.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
    const headers = new Headers({ cookie })
    const update = createAuth(app.config).updateSession(
      { headers, url: "https://app.example" },
      { size: 20_000 },
    )
    await expect(update).rejects.toThrow(SessionTooLarge)
  })

  test("does not result from a renewal, which is left out", async () => {
    const { app, state } = createSizedApp()
    const alice = await app.openSignedInBrowser()
    state.size = 20_000
    for (let i = 0; i < 2; i++) {
      expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
      expect(alice.setCookieHeaders.join()).not.toContain(sessionCookieName)
    }
    expect(app.errorCodes).toEqual(["SessionTooLarge", "SessionTooLarge"])
    state.size = 100
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    expect(alice.setCookieHeaders.join()).toContain(sessionCookieName)
  })

  test("that an earlier version stored is read, until it expires", async () => {
    const app = createPasswordApp({ session: { updateAge: 0 } })
    const claims = { sub: "user-ada", name: "ada", filling: "x".repeat(20_000) }
    const token = await encode({ token: claims, secret, salt: sessionCookieName })
    const chunks = token.match(/.{1,3900}/g) ?? []
    const cookie = chunks.map((chunk, i) => `${sessionCookieName}.${i}=${chunk}`).join("; ")
    const url = "https://app.example/auth/session"
    const response = await app.handle(new Request(url, { headers: { cookie } }))
    expect(await response.json()).toMatchObject({ user: { name: "ada" } })
    expect(response.headers.getSetCookie().join()).not.toContain(sessionCookieName)
  })
})

describe("a picture that makes the session too large", () => {
  const picture = `data:image/png;base64,${"A".repeat(20_000)}`

  /** Signs in at a provider whose profile has a picture, with more claims and tokens in the session. */
  async function signInWithPicture(image: string, filling = 0) {
    const provider = await createScriptedProvider()
    const app = await createOAuthApp(
      provider.asOidc({ profile: () => ({ id: "ada", name: "Ada", image }) }),
      {
        session: { strategy: "jwt", providerTokens: true },
        callbacks: { jwt: ({ token }) => ({ ...token, filling: "x".repeat(filling) }) },
      },
    )
    const alice = createTestBrowser(app.app)
    const response = await alice.signIn(provider)
    return { app, alice, response, provider }
  }

  test.each([
    ["because of its own size", picture, 0],
    ["because of other claims", "https://img.example/a.png".padEnd(1500, "x"), 7700],
  ])("is left out %s, and the log has a warning", async (_, image, filling) => {
    const { app, alice } = await signInWithPicture(image, filling)
    const { user } = (await alice.getSession()) ?? {}
    expect(user?.name).toBe("Ada")
    expect(user).not.toHaveProperty("image")
    expect(app.readLog()).toMatch(/'picture-dropped', '[^']*"picture" with \d+ characters/)
  })

  test("does not hide other claims that are too large", async () => {
    const { app, alice, response } = await signInWithPicture(picture, 20_000)
    expect(getRedirectError(response)).toBe("Configuration")
    expect(await alice.getSession()).toBeNull()
    expect(app.readLog()).toContain("SessionTooLarge")
    expect(app.readLog()).not.toContain("picture-dropped")
  })

  test("is kept if it fits", async () => {
    const { app, alice } = await signInWithPicture("https://img.example/a.png", 5000)
    expect(await alice.getSession()).toMatchObject({ user: { image: "https://img.example/a.png" } })
    expect(app.readLog()).not.toContain("picture-dropped")
  })

  test("is left out of an update, too, which succeeds", async () => {
    const app = createPasswordApp({
      callbacks: { jwt: ({ token, session }) => ({ ...token, ...session }) },
    })
    const alice = await app.openSignedInBrowser("ada")
    expect((await alice.updateSession({ picture, team: "blue" })).status).toBe(200)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
    expect((await alice.getSession())?.user).not.toHaveProperty("image")
  })
})

test("a session of almost 12 KB is stored", async () => {
  const { app, state } = createSizedApp()
  state.size = 8000
  const alice = await app.openSignedInBrowser()
  expect(alice.cookies.names).toContain(`${sessionCookieName}.2`)
  expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
})
