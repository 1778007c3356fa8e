import * as errors from "@latchkey/core/errors"
import { describe, expect, expectTypeOf, test } from "vitest"
import { checkEach } from "../support/check-each.ts"

const { AuthError, isClientError } = errors

/** Every type, its page, whether users see its name (protocol section 9.1), and the status of its response. */
const errorTable: Record<
  errors.ErrorType,
  [kind: "error" | "signIn", shown: boolean, status: number]
> = {
  AccessDenied: ["error", true, 403],
  AccessTokenError: ["error", false, 503],
  AccountNotLinked: ["signIn", true, 403],
  AdapterError: ["error", false, 503],
  CallbackRouteError: ["error", false, 500],
  CredentialsSignin: ["signIn", true, 403],
  DuplicateConditionalUI: ["error", false, 500],
  DuplicateProvider: ["error", false, 500],
  EmailSignInError: ["signIn", false, 503],
  ErrorPageLoop: ["error", false, 500],
  EventError: ["error", false, 500],
  ExperimentalFeatureNotEnabled: ["error", false, 500],
  InvalidCallbackUrl: ["error", false, 400],
  InvalidCheck: ["error", false, 400],
  InvalidConfiguration: ["error", false, 500],
  InvalidEmail: ["signIn", true, 400],
  InvalidEndpoints: ["error", false, 500],
  InvalidLogoutToken: ["error", false, 400],
  InvalidOption: ["error", false, 500],
  InvalidProvider: ["error", false, 400],
  InvalidRequest: ["error", false, 400],
  JWTSessionError: ["error", false, 503],
  LastAccount: ["error", false, 409],
  LastFactor: ["error", false, 409],
  MissingAdapter: ["error", false, 500],
  MissingAdapterMethods: ["error", false, 500],
  MissingAuthorize: ["error", false, 500],
  MissingCSRF: ["signIn", true, 403],
  MissingClientId: ["error", false, 500],
  MissingSecret: ["error", false, 500],
  MissingWebAuthnAutocomplete: ["error", false, 500],
  OAuthAccountNotLinked: ["signIn", true, 403],
  OAuthCallbackError: ["signIn", true, 403],
  OAuthProfileParseError: ["error", false, 500],
  OAuthSignInError: ["signIn", false, 503],
  SessionNotFresh: ["error", false, 403],
  SessionTokenError: ["error", false, 503],
  SessionTooLarge: ["error", false, 500],
  SignOutError: ["error", false, 503],
  TooManyRequests: ["signIn", true, 429],
  UnknownAction: ["error", false, 404],
  UnsupportedStrategy: ["error", false, 500],
  UntrustedHost: ["error", false, 500],
  Verification: ["error", true, 403],
  WeakSecret: ["error", false, 500],
  WebAuthnVerificationError: ["error", true, 403],
}

/** An error of every class, by the name of the class. */
function createErrors(): Record<string, errors.AuthError> {
  const { AuthError: _, SignInError: __, isClientError: ___, ...rest } = errors
  const { InvalidConfiguration, InvalidRequest, ...classes } = rest
  const made = Object.entries(classes).map(([name, Class]) => [name, new Class("what went wrong")])
  return {
    ...Object.fromEntries(made),
    InvalidConfiguration: new InvalidConfiguration([new errors.MissingSecret({})]),
    InvalidRequest: new InvalidRequest(400, {}),
  }
}

describe("every error class", () => {
  test("has a row in the table, and every row has a class", () => {
    expect(Object.keys(createErrors()).sort()).toEqual(Object.keys(errorTable).sort())
  })

  test("has a description", () =>
    checkEach(Object.entries(createErrors()), (error, name) => {
      const [kind, shown, status] = errorTable[name as errors.ErrorType]
      expect(error).toBeInstanceOf(AuthError)
      expect(error).toBeInstanceOf(Error)
      expect(error).toMatchObject({ type: name, name, kind, status })
      expect((error.constructor as typeof AuthError).type).toBe(name)
      expect(isClientError(error)).toBe(shown)
      expect(error instanceof errors.SignInError).toBe(kind === "signIn")
    }))
})

test("a token that only another sign-in can replace is no outage", () => {
  expect(new errors.AccessTokenError({ needsSignIn: true }).status).toBe(403)
})

test("too many requests tell how long to wait", () => {
  expect(new errors.TooManyRequests({ retryAfter: 7 }).headers).toEqual({ "retry-after": "7" })
  expect(new errors.TooManyRequests().headers).toEqual({})
})

describe("the hint", () => {
  test("of each class is given, with a link to the documentation", () =>
    checkEach(Object.entries(createErrors()), (error, name) => {
      expect(error.hint).toMatch(/^[A-Z`].{15,}[.\d]$/)
      expect(error.docs).toBe(`npx @latchkey/cli explain ${name}`)
    }))

  test("of each class is in a message made from details", () =>
    checkEach(Object.entries(createErrors()), (error) => {
      if (error instanceof errors.InvalidConfiguration) return
      const Class = error.constructor as typeof AuthError
      const facts = { expected: "something else", received: "nothing" }
      const made = error instanceof errors.InvalidRequest ? undefined : new Class(facts)
      const message = (made ?? new errors.InvalidRequest(400, facts)).message
      expect(message).toBe(`Expected something else. Received: nothing. ${error.hint}`)
    }))

  test("is that of the details, or else that of the class", () => {
    expect(new errors.WeakSecret({ hint: "Roll it." })).toMatchObject({
      message: "Roll it.",
      hint: "Roll it.",
    })
    expect(new errors.WeakSecret("too short")).toMatchObject({
      message: "too short",
      hint: new errors.WeakSecret().hint,
    })
    expect(new AuthError().hint).toBe("")
  })

  test("is added to a custom message only if the details have it", () => {
    const error = new errors.AccessDenied("You are banned.", { provider: "work" })
    expect(error.message).toBe("You are banned.")
    const reported = new AuthError("The answer cannot be used.", {
      received: "status 500",
      hint: "Ask.",
    })
    expect(reported.message).toBe("The answer cannot be used. Received: status 500. Ask.")
  })

  test("of a cause is kept", () => {
    const inner = new errors.InvalidEndpoints({ expected: "a key", hint: "Publish a key." })
    expect(new errors.OAuthSignInError("no", { cause: inner }).hint).toBe("Publish a key.")
  })
})

describe("the base classes", () => {
  test("have their own name, and are not shown to users", () => {
    const bare = new AuthError()
    expect(bare).toMatchObject({ type: "AuthError", kind: "error", name: "AuthError", message: "" })
    expect(bare.cause).toBeUndefined()
    expect(new errors.SignInError("no")).toMatchObject({ type: "AuthError", kind: "signIn" })
    expect(isClientError(bare)).toBe(false)
    expect(isClientError(new Error("no"))).toBe(false)
    expect(isClientError(Object.assign(new Error("no"), { type: "AccessDenied" }))).toBe(false)
  })

  test("a subclass of an application keeps the type, and can have its own", () => {
    class Banned extends errors.AccessDenied {}
    class Custom extends AuthError {}
    expect(new Banned("no")).toMatchObject({ type: "AccessDenied", name: "Banned" })
    expect(isClientError(new Banned("no"))).toBe(true)
    expect(isClientError(new Custom("no"))).toBe(false)
  })

  test("CredentialsSignin has a code that a subclass can set", () => {
    class Locked extends errors.CredentialsSignin {
      override code = "locked"
    }
    expect(new errors.CredentialsSignin().code).toBe("credentials")
    expect(new Locked()).toMatchObject({
      code: "locked",
      type: "CredentialsSignin",
      kind: "signIn",
    })
    expectTypeOf(errors.CredentialsSignin.type).toEqualTypeOf<"CredentialsSignin">()
  })

  test("InvalidRequest has the status of the response", () => {
    expect(new errors.InvalidRequest(413, { expected: "less" })).toMatchObject({
      status: 413,
      message: `Expected less. ${new errors.InvalidRequest(413, {}).hint}`,
    })
  })

  test("InvalidConfiguration lists and contains all problems", () => {
    const problems = [
      new errors.MissingSecret({ expected: "a secret" }),
      new errors.InvalidOption({ expected: "`pages.error` to be a path", received: '"oops"' }),
    ]
    const error = new errors.InvalidConfiguration(problems)
    expect(error.problems).toEqual(problems)
    expect(error.message).toMatch(/^The configuration has 2 problems\. 1\. MissingSecret: Expected/)
    expect(error.message).toMatch(/2\. InvalidOption: .*pages\.error.*Received: "oops"\./)
  })
})

describe("the constructor", () => {
  const original = new TypeError("the disk is full")

  test("accepts a message", () => {
    expect(new AuthError("no")).toMatchObject({ message: "no" })
    expect(new AuthError("no")).not.toHaveProperty("cause")
  })

  test("accepts an error, whose message it keeps", () => {
    const error = new AuthError(original)
    expect(error.message).toBe("the disk is full")
    expect(error.cause).toEqual({ err: original })
  })

  test("accepts an error and details", () => {
    const error = new AuthError(original, { provider: "work" })
    expect(error.cause).toEqual({ err: original, provider: "work" })
  })

  test("accepts a message and an error", () => {
    const error = new AuthError("no", original)
    expect(error.message).toBe("no")
    expect(error.cause).toEqual({ err: original })
  })

  test("accepts a message and details", () => {
    const error = new AuthError("no", { provider: "work", attempt: 2 })
    expect(error).toMatchObject({ message: "no", cause: { provider: "work", attempt: 2 } })
    expect(error.cause).not.toHaveProperty("err")
  })

  test.each([
    ["an error", original],
    ["an object with an error, as Auth.js has it", { err: original }],
  ])("accepts a message and the standard option `cause`: %s", (_, cause) => {
    const error = new AuthError("no", { provider: "work", cause })
    expect(error.cause).toEqual({ err: original, provider: "work" })
  })

  test.each([
    ["a string", "disk full", "disk full"],
    ["a number", 28, "28"],
    ["null", null, "null"],
  ])("keeps a cause that is not an error: %s", (_, cause, message) => {
    expect(new AuthError("no", { cause }).cause?.err?.message).toBe(message)
  })

  test("accepts details, and describes what was expected and how to fix it", () => {
    const error = new AuthError({
      expected: "a secret",
      hint: "Set AUTH_SECRET.",
      provider: "work",
    })
    expect(error.message).toBe("Expected a secret. Set AUTH_SECRET.")
    expect(error.cause).toMatchObject({ provider: "work" })
    expect(new AuthError({ hint: "Set AUTH_SECRET." }).message).toBe("Set AUTH_SECRET.")
    expect(new AuthError({}).message).toBe("")
  })

  test.each([
    { expected: "a `secret`" },
    { cause: new Error("connection to postgres://app:hunter2@db refused") },
  ])("is a text without the original error for frameworks that print it: %o", (details) => {
    const { cause } = new errors.MissingSecret(details)
    expect(String(cause)).toBe("More: npx @latchkey/cli explain MissingSecret")
    expect(Object.keys({ ...cause })).not.toContain("toString")
  })

  test("keeps the details of a cause that is an error of the library, below its own", () => {
    const inner = new errors.AdapterError("no", {
      method: "getUser",
      provider: "inner",
      cause: original,
    })
    const outer = new errors.CallbackRouteError("no", { provider: "outer", cause: inner })
    expect(outer.cause).toMatchObject({ method: "getUser", provider: "outer", err: inner })
    expect(inner.cause).toMatchObject({ method: "getUser", provider: "inner", err: original })
  })
})
