import type { AuthConfig } from "@latchkey/core"
import { describe, expect, test } from "vitest"
import { application } from "../support/application.ts"
import { bob, linkingHouse } from "../support/linking-house.ts"
import { postOffice } from "../support/post-office.ts"

type Events = Required<NonNullable<AuthConfig["events"]>>

/** Handlers of every event that do the same. */
function everyEvent(handler: () => void | Promise<void>): Events {
  return {
    signIn: handler,
    signOut: handler,
    createUser: handler,
    updateUser: handler,
    linkAccount: handler,
    session: handler,
  }
}

describe.each(["database", "jwt"] as const)("122 event handlers that fail (%s)", (strategy) => {
  test.each([
    [
      "throw",
      () => {
        throw new Error("audit log is full")
      },
    ],
    ["reject", () => Promise.reject(new Error("audit log is full"))],
    ["reject with nothing", () => Promise.reject()],
  ])("(%s) change nothing, and are logged", async (_, handler) => {
    const house = await linkingHouse({ session: { strategy }, events: everyEvent(handler) })
    house.club.user(bob)
    const visitor = house.visitor()
    await visitor.signIn(house.work)
    await visitor.signIn(house.club, { link: "true" })
    expect(await visitor.session()).toMatchObject({ user: { email: "ada@example.com" } })
    await visitor.signOut()
    expect(await visitor.session()).toBeNull()
    expect(house.accounts()).toHaveLength(2)
    // createUser, linkAccount, signIn; linkAccount, signIn; session; signOut
    expect(house.log.errors()).toEqual(Array.from({ length: 7 }, () => "EventError"))
  })
})

test("122 a failing handler of updateUser does not keep the address from being verified", async () => {
  const office = await postOffice({ events: everyEvent(() => Promise.reject(new Error("full"))) })
  await office.user()
  const ada = office.visitor()
  await ada.open(await office.link(ada))
  expect(await ada.session()).not.toBeNull()
  expect(office.rows("User")).toMatchObject([{ emailVerified: expect.any(Number) }])
})

const failingLogs: Readonly<Record<string, () => void>> = {
  throws: () => {
    throw new Error("disk is full")
  },
  rejects: () => Promise.reject(new Error("disk is full")) as unknown as undefined,
  "rejects with nothing": () => Promise.reject() as unknown as undefined,
}

describe("122 a logger that", () => {
  test.each(Object.entries(failingLogs))("%s changes nothing", async (_, fail) => {
    const house = await linkingHouse({
      debug: true,
      logger: { error: fail, warn: fail, debug: fail },
      events: everyEvent(() => Promise.reject(new Error("audit log is full"))),
    })
    const visitor = house.visitor()
    await visitor.signIn(house.work)
    expect(await visitor.session()).not.toBeNull()
    const refused = await visitor.open("/auth/callback/work?error=access_denied")
    expect(refused.headers.get("location")).toContain("error=")
    expect((await visitor.open("/auth/nowhere")).status).toBe(400)
  })

  test("needs its `this` keeps it", () => {
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
    const { handle } = application({ logger: ledger })
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
    "whose message is no text": () => Object.assign(new Error(), { message: { toString: null } }),
    "that contains itself": () => {
      const error = new Error("strange", { cause: {} })
      return Object.assign(error, { self: error, cause: { err: error, list: [error, [error]] } })
    },
    "with a thousand parts": () =>
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
      const house = await linkingHouse({ callbacks: { signIn: () => Promise.reject(make()) } })
      const answer = await house.visitor().signIn(house.work)
      expect(answer.headers.get("location")).toBe(
        "https://app.example/auth/error?error=AccessDenied",
      )
      expect(house.log.errors()).toEqual(["AccessDenied"])
      expect(house.log.text().length).toBeLessThan(200_000)
    },
  )
})
