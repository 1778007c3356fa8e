/** What the options endpoint returns, and what it does not reveal. */
import type { RateLimitAttempt } from "@latchkey/core"
import { assertRefused, getRedirectError, getSetCookieNames } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasskeyApp, type PasskeyApp } from "../support/passkey-app.ts"

const { invalid, wrong } = {
  invalid: { status: 400, error: "Invalid request" },
  wrong: { status: 400, error: "Invalid action" },
}

/** Registers a passkey for Ada; with `signedIn`, `asker` is her browser, otherwise another one. */
async function createAsker(signedIn: boolean, app?: PasskeyApp) {
  const made = app ?? (await createPasskeyApp())
  const ada = made.openPasskeyBrowser()
  await ada.register("ada@example.com")
  return {
    ...made,
    ada,
    asker: signedIn ? ada : made.openPasskeyBrowser(),
    id: ada.device.passkeys[0]?.id,
  }
}

describe("the table of docs/passkeys.md", () => {
  const known = { email: "ada@example.com" }
  const unknown = { email: "new@example.com" }

  test.each<[boolean, Record<string, string>, unknown]>([
    [false, { action: "authenticate" }, "authenticate"],
    [false, { action: "authenticate", ...known }, "authenticate"],
    [false, { action: "authenticate", ...unknown }, "authenticate"],
    [true, { action: "authenticate" }, "authenticate"],
    [false, {}, "authenticate"],
    [false, known, "authenticate"],
    [false, unknown, "authenticate"],
    [true, {}, invalid],
    [true, unknown, invalid],
    [false, { action: "register", ...unknown }, "register"],
    [false, { action: "register", ...known }, "register"],
    [false, { action: "register" }, invalid],
    [false, { action: "register", email: "no address" }, invalid],
    [false, { action: "register", email: "" }, invalid],
    [true, { action: "register" }, "register"],
    [true, { action: "register", ...unknown }, "register"],
    [true, { action: "register", link: "true" }, "register"],
    [false, { action: "register", link: "true" }, { status: 403, error: "AccountNotLinked" }],
    [false, { action: "delete" }, wrong],
    [true, { action: "" }, wrong],
    [false, { action: "Register" }, wrong],
  ])("signed in: %s, %j", async (signedIn, fields, expected) => {
    const { asker } = await createAsker(signedIn)
    const asked = await asker.requestOptions(fields)
    if (typeof expected === "string") {
      expect([asked.status, asked.action]).toEqual([200, expected])
      expect(asked.options?.challenge).toMatch(/^[\w-]{43}$/)
    } else expect(asked).toEqual(expected)
  })
})

describe("options", () => {
  test("to register request a discoverable passkey with user verification", async () => {
    const { asker } = await createAsker(false)
    const { options } = await asker.requestOptions({ action: "register", email: "new@example.com" })
    expect(options).toMatchObject({
      rp: { id: "app.example", name: "app.example" },
      user: { name: "new@example.com", displayName: "new@example.com" },
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    })
    expect(options?.user.id).toMatch(/^[\w-]{43,}$/)
    expect(JSON.stringify(options)).not.toContain("ada@example.com")
  })

  test("to sign in request any passkey, with user verification", async () => {
    const { asker } = await createAsker(false)
    const { options } = await asker.requestOptions({ action: "authenticate" })
    expect(options).toMatchObject({
      rpId: "app.example",
      timeout: 300_000,
      userVerification: "required",
    })
    expect(options?.allowCredentials ?? []).toEqual([])
  })

  test("are different each time, with `no-store`", async () => {
    const { asker } = await createAsker(false)
    const challenges = new Set<string | undefined>()
    for (let count = 0; count < 5; count += 1) {
      challenges.add((await asker.requestOptions()).options?.challenge)
    }
    expect(challenges.size).toBe(5)
    const response = await asker.browser.fetch("/auth/webauthn-options/passkey")
    expect(response.headers.get("cache-control")).toBe("private, no-cache, no-store")
  })

  test("are not returned to pages of other sites", async () => {
    const { asker } = await createAsker(false)
    for (const from of ["https://evil.example", "https://sub.app.example"]) {
      const response = await asker.browser.fetch("/auth/webauthn-options/passkey", { from })
      expect(response.status).toBe(400)
      expect(getSetCookieNames(response).filter((name) => name.includes("challenge"))).toEqual([])
    }
  })

  test("are requested with GET, at a passkey provider", async () => {
    const { asker } = await createAsker(false)
    const posted = await asker.browser.post("/auth/webauthn-options/passkey")
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"])
    for (const path of ["webauthn-options", "webauthn-options/nobody"]) {
      expect(getRedirectError(await asker.browser.fetch(`/auth/${path}`))).toBe("Configuration")
    }
  })
})

describe("a known and an unknown address", () => {
  test.each([{}, { action: "authenticate" }, { action: "register" }])(
    "get the same response: %j",
    async (action) => {
      const { openPasskeyBrowser, calls } = await createAsker(false)
      calls.length = 0
      const [known, unknown] = await Promise.all(
        ["ada@example.com", "eve@example.com"].map(async (email) => {
          const asker = openPasskeyBrowser()
          const asked = await asker.requestOptions({ ...action, email })
          const cookies = asker.browser.setCookieHeaders.map((line) =>
            line.replace(/(?:\.[\w-]{16})?=[^;]*/, "=…").replace(/Expires=[^;]*/, ""),
          )
          const text = JSON.stringify(asked).replaceAll(email, "…")
          return { cookies, text: text.replace(/[\w-]{43,}/g, "…") }
        }),
      )
      expect(known).toEqual(unknown)
      // The response time reveals nothing either, because no user is looked up.
      expect(calls).toEqual([])
    },
  )

  test("the id of a passkey is not revealed", async () => {
    const { openPasskeyBrowser, id } = await createAsker(false)
    for (const action of [{}, { action: "authenticate" }, { action: "register" }]) {
      const asked = await openPasskeyBrowser().requestOptions({
        ...action,
        email: "ada@example.com",
      })
      expect(JSON.stringify(asked)).not.toContain(id)
    }
  })
})

describe("an application with its own `getUserInfo`", () => {
  const lookingUp = async () => {
    const app: PasskeyApp = await createPasskeyApp(
      {},
      {
        async getUserInfo({ fields: { email = "" } }) {
          const user = await app.adapter.getUserByEmail(email)
          if (user) return { exists: true, user }
          return email === "" ? null : { exists: false, user: { email } }
        },
      },
    )
    const asker = await createAsker(false, app)
    // An address that the user proved later.
    await app.adapter.updateUser({
      id: String(app.rows("User")[0]?.["id"]),
      email: "ada@example.com",
    })
    return asker
  }

  test("lists the passkeys of an existing user, for devices without discoverable ones", async () => {
    const { asker, id } = await lookingUp()
    const asked = await asker.requestOptions({ email: "ada@example.com" })
    expect(asked.action).toBe("authenticate")
    expect(asked.options?.allowCredentials).toMatchObject([{ id, type: "public-key" }])
  })

  test("offers registration to a new user", async () => {
    const { asker } = await lookingUp()
    expect((await asker.requestOptions({ email: "new@example.com" })).action).toBe("register")
    expect(await asker.requestOptions({ action: "register", email: "ada@example.com" })).toEqual(
      invalid,
    )
  })

  test("accepts a passkey of the requested user, and of no other user", async () => {
    const { asker, openPasskeyBrowser } = await lookingUp()
    const mallory = openPasskeyBrowser(asker.device)
    await mallory.register("mallory@example.com")
    await mallory.browser.signOut()
    const asked = await mallory.requestOptions({ email: "ada@example.com" })
    const own = await mallory.createResponse({
      ...asked,
      options: { ...asked.options!, allowCredentials: [] },
    })
    const response = await mallory.sendResponse("authenticate", own)
    assertRefused(response)
    expect(getRedirectError(response)).toBe("WebAuthnVerificationError")
    expect(await mallory.browser.getSession()).toBeNull()
  })
})

describe("`rateLimit`", () => {
  async function limited(refuses: (attempt: RateLimitAttempt) => boolean) {
    const attempts: RateLimitAttempt[] = []
    const app = await createPasskeyApp({
      rateLimit(attempt) {
        attempts.push(attempt)
        return !refuses(attempt)
      },
    })
    return { ...app, attempts }
  }

  test("is called before options are returned, and before a response is verified", async () => {
    const { openPasskeyBrowser, attempts } = await limited(() => false)
    const ada = openPasskeyBrowser()
    await ada.register("ada@example.com")
    await ada.signIn()
    expect(
      attempts.map(({ action, provider, identifier }) => [action, provider, identifier]),
    ).toEqual([
      ["webauthn-options", "passkey", "ada@example.com"],
      ["webauthn", "passkey", undefined],
      ["webauthn-options", "passkey", undefined],
      ["webauthn", "passkey", undefined],
    ])
    expect(attempts[0]?.request).toBeInstanceOf(Request)
  })

  test("refuses options with status 429", async () => {
    const { openPasskeyBrowser } = await limited(() => true)
    const asked = await openPasskeyBrowser().requestOptions({ action: "authenticate" })
    expect(asked).toEqual({ status: 429, error: "TooManyRequests" })
  })

  test("refuses a response", async () => {
    const { openPasskeyBrowser, countRows } = await limited(({ action }) => action === "webauthn")
    const ada = openPasskeyBrowser()
    const response = await ada.register("ada@example.com")
    assertRefused(response)
    expect(getRedirectError(response)).toBe("TooManyRequests")
    expect(countRows().slice(0, 3)).toEqual([0, 0, 0])
  })
})
