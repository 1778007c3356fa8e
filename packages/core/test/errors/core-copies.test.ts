/** Two copies of the core in one process: a package has brought its own. */

import {
  Auth,
  allowInsecureRequests,
  assertFreshSession,
  customFetch,
  raw,
  skipCSRFCheck,
} from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import { describe, expect, test } from "vitest"
import { createMinimalSite, getRedirectTarget, validCredentials } from "../support/test-site.ts"

/** Evaluates a module of the core a second time. */
const importCopy = (module: string) => import(/* @vite-ignore */ `../../src/${module}?copy`)

const copies: typeof errors = await importCopy("errors/error-classes.ts")
const classes = Object.entries(errors).filter(
  (entry): entry is [keyof typeof errors, typeof errors.AuthError] =>
    entry[0] in copies && entry[0] !== "InvalidConfiguration",
)

class InvalidCode extends errors.CredentialsSignin {}
class LockedAccount extends errors.CredentialsSignin {
  static override type = "AccessDenied" as never
}

describe("errors of another copy", () => {
  test("are those of the same classes, and of no others", () => {
    expect(copies.AuthError).not.toBe(errors.AuthError)
    expect(classes.length).toBeGreaterThan(40)
    const list = (error: unknown) =>
      classes.filter(([, each]) => error instanceof each).map(([name]) => name)
    for (const [name, errorClass] of classes) {
      const CopiedClass = copies[name] as typeof errors.AuthError
      const details = { expected: "x" }
      const create = (Class: typeof errors.AuthError) =>
        name === "InvalidRequest" ? Reflect.construct(Class, [400, details]) : new Class(details)
      expect(list(create(CopiedClass)), name).toEqual(list(create(errorClass)))
      expect(create(errorClass), name).toBeInstanceOf(CopiedClass)
    }
  })

  test("are none of a class of the application", () => {
    expect(new copies.CredentialsSignin()).not.toBeInstanceOf(InvalidCode)
    expect(new errors.CredentialsSignin()).not.toBeInstanceOf(InvalidCode)
    expect(new InvalidCode()).toBeInstanceOf(copies.CredentialsSignin)
    expect(new LockedAccount()).toBeInstanceOf(copies.CredentialsSignin)
    expect(new LockedAccount()).toBeInstanceOf(LockedAccount)
  })

  test.each<[string, unknown]>([
    [
      "data",
      JSON.parse(
        '{"type":"CredentialsSignin","kind":"signIn","hint":"","constructor":{"type":"CredentialsSignin","kind":"signIn","hint":""}}',
      ),
    ],
    [
      "an error with the members",
      Object.assign(new Error("x"), { type: "CredentialsSignin", kind: "signIn", hint: "" }),
    ],
    // As the classes of Auth.js.
    [
      "an error of a class without hints",
      new (class extends Error {
        static type = "CredentialsSignin"
        static kind = "signIn"
      })(),
    ],
    ["null", null],
    ["text", "CredentialsSignin"],
  ])("are not %s", (_, value) => {
    expect(value instanceof errors.AuthError || value instanceof errors.CredentialsSignin).toBe(
      false,
    )
  })

  test("of `authorize` refuse the sign-in with their code", async () => {
    class WrongPin extends copies.CredentialsSignin {
      override code = "wrong-pin"
    }
    const authorize = () => Promise.reject(new WrongPin())
    const { openBrowser, log } = createMinimalSite({
      providers: [credentials({ credentials: {}, authorize })],
    })
    const response = await openBrowser().signIn("credentials", validCredentials)
    expect(getRedirectTarget(response)).toMatch(/error=CredentialsSignin&code=wrong-pin/)
    expect(log.errorCodes).toEqual(["CredentialsSignin"])
  })
})

test("symbols of providers are the same in every copy, and those that switch off a protection are not", async () => {
  const symbols = await importCopy("symbols.ts")
  expect(symbols).toMatchObject({ customFetch, allowInsecureRequests })
  expect([symbols.raw, symbols.skipCSRFCheck]).not.toEqual([raw, skipCSRFCheck])
  const { config } = createMinimalSite({ skipCSRFCheck: symbols.skipCSRFCheck })
  const request = new Request("https://app.example/auth/session")
  expect((await Auth(request, config)).status).toBe(500)
})

test("a session of another copy has a known age", async () => {
  const { rememberSessionFacts } = await importCopy("sessions/session-facts.ts")
  const session = { expires: "" }
  rememberSessionFacts(session, { userId: "1", createdAt: Date.now() / 1000 })
  expect(() => assertFreshSession(session, 60)).not.toThrow()
})

test("an e-mail that a function of another copy sends has a code", async () => {
  const { markCodeSender } = await importCopy("providers/code-senders.ts")
  const { isCodeSent } = await import("../../src/providers/code-senders.ts")
  const sendVerificationRequest = markCodeSender(() => undefined)
  expect(isCodeSent({ sendVerificationRequest } as never)).toBe(true)
})
