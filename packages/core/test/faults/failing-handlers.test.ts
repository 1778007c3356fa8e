import type { AuthConfig } from "@latchkey/core"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"
import { bob, createLinkingApp } from "../support/linking-app.ts"
import { createTestApp } from "../support/test-app.ts"

type Events = Required<NonNullable<AuthConfig["events"]>>

/** Handlers of every event that do the same. */
function createEvents(handler: () => void | Promise<void>): Events {
  return {
    signIn: handler,
    signOut: handler,
    createUser: handler,
    updateUser: handler,
    linkAccount: handler,
    unlinkAccount: handler,
    deleteUser: handler,
    addFactor: handler,
    removeFactor: handler,
    security: handler,
    session: handler,
  }
}

describe.each(["database", "jwt"] as const)("failing event handlers (%s)", (strategy) => {
  test.each([
    [
      "throw",
      () => {
        throw new Error("audit log is full")
      },
    ],
    ["reject", () => Promise.reject(new Error("audit log is full"))],
    ["reject with undefined", () => Promise.reject()],
  ])("(%s) change nothing, and are logged", async (_, handler) => {
    const app = await createLinkingApp({ session: { strategy }, events: createEvents(handler) })
    app.club.setUser(bob)
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    await browser.signIn(app.club, { link: "true" })
    expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    await browser.signOut()
    expect(await browser.getSession()).toBeNull()
    expect(app.listAccounts()).toHaveLength(2)
    // createUser, linkAccount, signIn; linkAccount, signIn; session; signOut; and `security` for each but session
    expect(app.log.errorCodes()).toEqual(Array.from({ length: 13 }, () => "EventError"))
  })
})

test("a failing handler of updateUser does not prevent the address from being verified", async () => {
  const app = await createEmailApp({
    events: createEvents(() => Promise.reject(new Error("full"))),
  })
  await app.createUser()
  const ada = app.openBrowser()
  await ada.open(await app.receiveLink(ada))
  expect(await ada.getSession()).not.toBeNull()
  expect(app.rows("User")).toMatchObject([{ emailVerified: expect.any(Number) }])
})

const failingLogs: Readonly<Record<string, () => void>> = {
  throws: () => {
    throw new Error("disk is full")
  },
  rejects: () => Promise.reject(new Error("disk is full")) as unknown as undefined,
  "rejects with undefined": () => Promise.reject() as unknown as undefined,
}

describe("a logger that", () => {
  test.each(Object.entries(failingLogs))("%s changes nothing", async (_, fail) => {
    const app = await createLinkingApp({
      debug: true,
      logger: { error: fail, warn: fail, debug: fail },
      events: createEvents(() => Promise.reject(new Error("audit log is full"))),
    })
    const browser = app.openBrowser()
    await browser.signIn(app.work)
    expect(await browser.getSession()).not.toBeNull()
    const refused = await app.openBrowser().open("/auth/callback/work?error=access_denied")
    expect(refused.headers.get("location")).toContain("error=")
    expect((await browser.open("/auth/nowhere")).status).toBe(404)
  })

  test("needs its `this` receives it", () => {
    class Ledger {
      readonly #lines: string[] = []
      error(code: string) {
        this.#lines.push(code)
      }
      get lines() {
        return this.#lines
      }
    }
    const ledger = new Ledger()
    const { handle } = createTestApp({ logger: ledger })
    return handle(new Request("https://app.example/auth/nowhere")).then(() => {
      expect(ledger.lines).toEqual(["UnknownAction"])
    })
  })
})

describe("an error that cannot be described", () => {
  const strange: Readonly<Record<string, () => unknown>> = {
    "with a getter that throws": () =>
      Object.defineProperty(new Error("strange"), "detail", {
        enumerable: true,
        get() {
          throw new Error("no detail")
        },
      }),
    "whose message is not a string": () =>
      Object.assign(new Error(), { message: { toString: null } }),
    "that contains itself": () => {
      const error = new Error("strange", { cause: {} })
      return Object.assign(error, { self: error, cause: { err: error, list: [error, [error]] } })
    },
    "with a thousand members": () =>
      Object.assign(
        new Error("strange"),
        Object.fromEntries(
          Array.from({ length: 1000 }, (_, i) => [`part${i}`, Array(1000).fill({ i })]),
        ),
      ),
    "that is a proxy": () =>
      new Proxy(new Error("strange"), {
        ownKeys: () => {
          throw new Error("no keys")
        },
      }),
  }

  test.each(Object.entries(strange))(
    "(%s) is refused and logged like any other",
    async (_, make) => {
      const app = await createLinkingApp({ callbacks: { signIn: () => Promise.reject(make()) } })
      const response = await app.openBrowser().signIn(app.work)
      expect(response.headers.get("location")).toBe(
        "https://app.example/auth/error?error=AccessDenied",
      )
      expect(app.log.errorCodes()).toEqual(["AccessDenied"])
      expect(app.log.toText().length).toBeLessThan(200_000)
    },
  )
})
