import { skipCSRFCheck } from "@latchkey/core"
import { AuthError, CredentialsSignin } from "@latchkey/core/errors"
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { type Authorize, ada, passwordDoor } from "../support/password-door.ts"

const typed = { name: "ada", password: "open sesame" }
const signInPage = "https://app.example/auth/signin?error=CredentialsSignin"
const errorPage = "https://app.example/auth/error?error=Configuration"

class Throttled extends CredentialsSignin {
  override code = "try & later"
}

const refusals: [string, Authorize, string, string][] = [
  ["returns null", () => null, `${signInPage}&code=credentials`, "CredentialsSignin"],
  ["returns nothing", () => undefined, `${signInPage}&code=credentials`, "CredentialsSignin"],
  ["returns false", () => false, `${signInPage}&code=credentials`, "CredentialsSignin"],
  ["returns true", () => true, errorPage, "CallbackRouteError"],
  ["returns a text", () => "ada", errorPage, "CallbackRouteError"],
  ["returns a list", () => [ada], errorPage, "CallbackRouteError"],
  ["returns an id that is an object", () => ({ id: {} }), errorPage, "CallbackRouteError"],
  [
    "returns an id that is a promise",
    () => ({ id: Promise.resolve("ada") }),
    errorPage,
    "CallbackRouteError",
  ],
  ["returns an id that is no number", () => ({ id: Number.NaN }), errorPage, "CallbackRouteError"],
  [
    "rejects",
    () => Promise.reject(new Error("users table is locked")),
    errorPage,
    "CallbackRouteError",
  ],
  [
    "throws CredentialsSignin",
    () => {
      throw new CredentialsSignin()
    },
    `${signInPage}&code=credentials`,
    "CredentialsSignin",
  ],
  [
    "throws a subclass with a code of its own",
    () => {
      throw new Throttled()
    },
    `${signInPage}&code=try+%26+later`,
    "CredentialsSignin",
  ],
  [
    "throws another error of the library",
    () => {
      throw new AuthError("not today")
    },
    errorPage,
    "AuthError",
  ],
]

describe("103 when `authorize`", () => {
  test.each(refusals)("%s, nobody is let in", async (_, authorize, to, code) => {
    const door = passwordDoor(authorize)
    const visitor = door.visitor()
    const answer = await visitor.signIn("credentials", typed)
    assertRefused(answer)
    expect(answer.headers.get("location")).toBe(to)
    expect(door.log.errors()).toEqual([code])
    expect(await visitor.session()).toBeNull()
  })

  test("fails, its message is in the log and nowhere else", async () => {
    const door = passwordDoor(() => Promise.reject(new Error("users table is locked")))
    const visitor = door.visitor()
    const answer = await visitor.signIn("credentials", typed)
    const page = await (await visitor.follow(answer)).text()
    const seen = [...answer.headers].join() + page
    expect(seen).not.toContain("locked")
    expect(door.log.text()).toContain("users table is locked")
  })

  test("refuses, a message that it gives stays in the log", async () => {
    const door = passwordDoor(() => {
      throw new CredentialsSignin("no user has this name")
    })
    const visitor = door.visitor()
    const answer = await visitor.signIn("credentials", typed)
    const page = await (await visitor.follow(answer)).text()
    expect([...answer.headers].join() + page).not.toContain("has this name")
    expect(door.log.messages("CredentialsSignin")).toEqual(["no user has this name"])
  })
})

describe("a person that `authorize` returns", () => {
  test("is signed in, and goes where they wanted", async () => {
    const door = passwordDoor()
    const visitor = door.visitor()
    const answer = await visitor.signIn("credentials", { ...typed, callbackUrl: "/in" })
    expect(answer.status).toBe(302)
    expect(answer.headers.get("location")).toBe("https://app.example/in")
    expect(await visitor.session()).toEqual({
      user: { name: "Ada Lovelace", email: "ada@example.com", image: null },
      expires: expect.any(String),
    })
  })

  test.each([
    ["text", "ada", "ada"],
    ["a number", 42, "42"],
    ["zero", 0, "0"],
    ["an object that knows its text", { toString: () => "6650f1" }, "6650f1"],
    ["null", null, expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ["empty", "", expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ["absent", undefined, expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ])("has an id that is %s", async (_, id, sub) => {
    const subs: unknown[] = []
    const callbacks = {
      jwt({ token }: { token: { sub?: string } }) {
        subs.push(token.sub)
        return token
      },
    }
    const door = passwordDoor(() => ({ ...ada, id }), { callbacks })
    await door.visitor().signIn("credentials", typed)
    expect(subs).toEqual([sub])
  })

  test("is nobody else when neither has an id", async () => {
    const subs = new Set<unknown>()
    const callbacks = {
      jwt({ token }: { token: { sub?: string } }) {
        subs.add(token.sub)
        return token
      },
    }
    const door = passwordDoor(() => ({ name: "Ada", id: null }), { callbacks })
    await door.visitor().signIn("credentials", typed)
    await door.visitor().signIn("credentials", typed)
    expect(subs.size).toBe(2)
  })

  test("reaches callbacks and events as the very object", async () => {
    class Entity {
      readonly id = "ada"
      get name() {
        return "Ada of the getter"
      }
    }
    const entity = new Entity()
    const seen: unknown[] = []
    const see = ({ user }: { user: unknown }) => {
      seen.push(user)
      return true
    }
    const door = passwordDoor(() => entity, {
      callbacks: { signIn: see },
      events: { signIn: (message) => void see(message) },
    })
    const visitor = door.visitor()
    await visitor.signIn("credentials", typed)
    expect(seen).toHaveLength(2)
    for (const user of seen) expect(user).toBe(entity)
    expect(await visitor.session()).toMatchObject({ user: { name: "Ada of the getter" } })
  })
})

test("`authorize` gets the request: its address and headers, and the fields as JSON", async () => {
  const got: Request[] = []
  const door = passwordDoor((_, request) => {
    got.push(request)
    return ada
  })
  const visitor = door.visitor({ headers: { "x-client": "tablet" } })
  await visitor.signIn("credentials", typed)
  const [request] = got
  expect(request?.url).toBe("https://app.example/auth/callback/credentials")
  expect(request?.method).toBe("POST")
  expect(request?.headers.get("x-client")).toBe("tablet")
  expect(request?.headers.get("content-type")).toBe("application/json")
  expect(await request?.json()).toEqual(door.asked[0])
  expect(door.asked[0]).toMatchObject(typed)
})

test.each([{}, { skipCSRFCheck }] as const)(
  "a GET of the callback signs nobody in and asks nobody (%o)",
  async (changes) => {
    const door = passwordDoor(undefined, changes)
    const visitor = door.visitor()
    const answer = await visitor.open("/auth/callback/credentials?name=ada&password=open+sesame")
    assertRefused(answer)
    expect(answer.headers.get("location")).toBe(errorPage)
    expect(door.log.errors()).toEqual(["InvalidProvider"])
    expect(door.asked).toEqual([])
    expect(await visitor.session()).toBeNull()
  },
)
