import { skipCSRFCheck } from "@latchkey/core"
import { AuthError, CredentialsSignin } from "@latchkey/core/errors"
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { type Authorize, ada, createAuthorizeApp } from "../support/authorize-app.ts"

const submittedFields = { name: "ada", password: "open sesame" }
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
  ["returns a string", () => "ada", errorPage, "CallbackRouteError"],
  ["returns an array", () => [ada], errorPage, "CallbackRouteError"],
  ["returns an id that is an object", () => ({ id: {} }), errorPage, "CallbackRouteError"],
  [
    "returns an id that is a promise",
    () => ({ id: Promise.resolve("ada") }),
    errorPage,
    "CallbackRouteError",
  ],
  [
    "returns an id that is not a number",
    () => ({ id: Number.NaN }),
    errorPage,
    "CallbackRouteError",
  ],
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
    "throws a subclass with its own code",
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

describe("when `authorize`", () => {
  test.each(refusals)("%s, the sign-in is refused", async (_, authorize, to, code) => {
    const app = createAuthorizeApp(authorize)
    const browser = app.openBrowser()
    const response = await browser.signIn("credentials", submittedFields)
    assertRefused(response)
    expect(response.headers.get("location")).toBe(to)
    expect(app.log.errorCodes()).toEqual([code])
    expect(await browser.getSession()).toBeNull()
  })

  test("fails, its message is only logged", async () => {
    const app = createAuthorizeApp(() => Promise.reject(new Error("users table is locked")))
    const browser = app.openBrowser()
    const response = await browser.signIn("credentials", submittedFields)
    const page = await (await browser.followRedirect(response)).text()
    const seen = [...response.headers].join() + page
    expect(seen).not.toContain("locked")
    expect(app.log.toText()).toContain("users table is locked")
  })

  test("refuses with a message, the message is only logged", async () => {
    const app = createAuthorizeApp(() => {
      throw new CredentialsSignin("no user has this name")
    })
    const browser = app.openBrowser()
    const response = await browser.signIn("credentials", submittedFields)
    const page = await (await browser.followRedirect(response)).text()
    expect([...response.headers].join() + page).not.toContain("has this name")
    expect(app.log.errorMessages("CredentialsSignin")).toEqual(["no user has this name"])
  })
})

describe("a user that `authorize` returns", () => {
  test("is signed in, and redirected to the callback URL", async () => {
    const app = createAuthorizeApp()
    const browser = app.openBrowser()
    const response = await browser.signIn("credentials", { ...submittedFields, callbackUrl: "/in" })
    expect(response.status).toBe(302)
    expect(response.headers.get("location")).toBe("https://app.example/in")
    expect(await browser.getSession()).toEqual({
      user: { name: "Ada Lovelace", email: "ada@example.com" },
      expires: expect.any(String),
    })
  })

  test.each([
    ["text", "ada", "ada"],
    ["a number", 42, "42"],
    ["zero", 0, "0"],
    ["an object with `toString`", { toString: () => "6650f1" }, "6650f1"],
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
    const app = createAuthorizeApp(() => ({ ...ada, id }), { callbacks })
    await app.openBrowser().signIn("credentials", submittedFields)
    expect(subs).toEqual([sub])
  })

  test("is not the same as another one if neither has an id", async () => {
    const subs = new Set<unknown>()
    const callbacks = {
      jwt({ token }: { token: { sub?: string } }) {
        subs.add(token.sub)
        return token
      },
    }
    const app = createAuthorizeApp(() => ({ name: "Ada", id: null }), { callbacks })
    await app.openBrowser().signIn("credentials", submittedFields)
    await app.openBrowser().signIn("credentials", submittedFields)
    expect(subs.size).toBe(2)
  })

  test("is passed to callbacks and events as the same object", async () => {
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
    const app = createAuthorizeApp(() => entity, {
      callbacks: { signIn: see },
      events: { signIn: (message) => void see(message) },
    })
    const browser = app.openBrowser()
    await browser.signIn("credentials", submittedFields)
    expect(seen).toHaveLength(2)
    for (const user of seen) expect(user).toBe(entity)
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada of the getter" } })
  })
})

test("`authorize` receives the request: its URL and headers, and the fields as JSON", async () => {
  const got: Request[] = []
  const app = createAuthorizeApp((_, request) => {
    got.push(request)
    return ada
  })
  const browser = app.openBrowser({ headers: { "x-client": "tablet" } })
  await browser.signIn("credentials", submittedFields)
  const [request] = got
  expect(request?.url).toBe("https://app.example/auth/callback/credentials")
  expect(request?.method).toBe("POST")
  expect(request?.headers.get("x-client")).toBe("tablet")
  expect(request?.headers.get("content-type")).toBe("application/json")
  // Applications copy the request, or forward it to a back end.
  for (const copy of [request?.clone(), request && new Request(request)])
    expect(await copy?.json()).toEqual(app.authorizeCalls[0])
  expect(app.authorizeCalls[0]).toMatchObject(submittedFields)
})

test.each([{}, { skipCSRFCheck }] as const)(
  "a GET request to the callback signs nobody in and does not call `authorize` (%o)",
  async (changes) => {
    const app = createAuthorizeApp(undefined, changes)
    const browser = app.openBrowser()
    const response = await browser.open("/auth/callback/credentials?name=ada&password=open+sesame")
    assertRefused(response)
    expect(response.headers.get("location")).toBe(errorPage)
    expect(app.log.errorCodes()).toEqual(["InvalidProvider"])
    expect(app.authorizeCalls).toEqual([])
    expect(await browser.getSession()).toBeNull()
  },
)
