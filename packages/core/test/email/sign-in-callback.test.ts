import type { AuthConfig } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import { assertRefused, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createEmailApp } from "../support/email-app.ts"

type SignInCallback = NonNullable<NonNullable<AuthConfig["callbacks"]>["signIn"]>

/** A `signIn` callback that returns a result in one of the two phases, and `true` in the other. */
function answerInPhase(
  phase: "request" | "link",
  createAnswer: () => boolean | string,
): SignInCallback {
  return ({ email }) => {
    const now = email?.verificationRequest ? "request" : "link"
    return now === phase ? createAnswer() : true
  }
}

const refusals: Readonly<Record<string, () => boolean | string>> = {
  false: () => false,
  "an empty string": () => "",
  "an error": () => {
    throw new Error("members only")
  },
}

describe("a `signIn` callback that returns", () => {
  test.each(Object.entries(refusals))(
    "%s for a request sends and stores nothing",
    async (_, createAnswer) => {
      const app = await createEmailApp({
        callbacks: { signIn: answerInPhase("request", createAnswer) },
      })
      const refused = await app.requestLink(app.openBrowser())
      assertRefused(refused)
      expect(refused.headers.get("location")).toBe(
        "https://app.example/auth/error?error=AccessDenied",
      )
      expect(app.inbox.messages).toEqual([])
      expect(app.countRows()).toEqual([0, 0, 0, 0])
    },
  )

  test.each(Object.entries(refusals))("%s for a link creates no user", async (_, createAnswer) => {
    const app = await createEmailApp({ callbacks: { signIn: answerInPhase("link", createAnswer) } })
    const ada = app.openBrowser()
    const refused = await ada.open(await app.receiveLink(ada))
    assertRefused(refused)
    expect(getRedirectError(refused)).toBe("AccessDenied")
    expect(await ada.getSession()).toBeNull()
    expect(app.countRows().slice(0, 3)).toEqual([0, 0, 0])
  })

  test("a string for a request redirects the browser, and no e-mail is sent", async () => {
    const app = await createEmailApp({
      callbacks: { signIn: answerInPhase("request", () => "/waitlist") },
    })
    const response = await app.requestLink(app.openBrowser())
    expect(response.headers.get("location")).toBe("https://app.example/waitlist")
    expect(app.inbox.messages).toEqual([])
    expect(app.countRows()).toEqual([0, 0, 0, 0])
  })

  test("a string for a link redirects the browser, and signs nobody in", async () => {
    const app = await createEmailApp({
      callbacks: { signIn: answerInPhase("link", () => "/waitlist") },
    })
    const ada = app.openBrowser()
    const response = await ada.open(await app.receiveLink(ada))
    expect(response.headers.get("location")).toBe("https://app.example/waitlist")
    expect(await ada.getSession()).toBeNull()
    expect(app.countRows()).toEqual([0, 0, 0, 0])
  })

  test("a URL of another site redirects the browser to the origin", async () => {
    const app = await createEmailApp({
      callbacks: { signIn: answerInPhase("request", () => "https://evil.example/") },
    })
    const response = await app.requestLink(app.openBrowser())
    expect(response.headers.get("location")).toBe("https://app.example")
  })

  test.each(["request", "link"] as const)(
    "an error in the %s phase is logged with its message, which is not shown",
    async (phase) => {
      const signIn = answerInPhase(phase, () => {
        throw new Error("ada is banned")
      })
      const app = await createEmailApp({ callbacks: { signIn } })
      const ada = app.openBrowser()
      const asked = await app.requestLink(ada)
      const response = phase === "request" ? asked : await ada.open(app.inbox.getLatestLink())
      expect(app.log.errorMessages("AccessDenied")).toEqual(["ada is banned"])
      expect(response.headers.get("location")).not.toContain("banned")
    },
  )

  test("an error of the library is a Configuration error in the link phase, and AccessDenied in the request phase", async () => {
    for (const [phase, error] of [
      ["request", "AccessDenied"],
      ["link", "Configuration"],
    ] as const) {
      const signIn = answerInPhase(phase, () => {
        throw new AuthError("not today")
      })
      const app = await createEmailApp({ callbacks: { signIn } })
      const ada = app.openBrowser()
      const asked = await app.requestLink(ada)
      const response = phase === "request" ? asked : await ada.open(app.inbox.getLatestLink())
      expect(getRedirectError(response)).toBe(error)
    }
  })
})

describe("a `signIn` callback receives", () => {
  test.each([
    ["a new user", false],
    ["an existing user", true],
  ])("the parameters of %s, in both phases", async (_, known) => {
    const reported: Parameters<SignInCallback>[0][] = []
    const app = await createEmailApp({
      callbacks: {
        signIn(parameters) {
          reported.push(structuredClone(parameters))
          return true
        },
      },
    })
    const person = known ? await app.createUser() : undefined
    const ada = app.openBrowser()
    await ada.open(await app.receiveLink(ada))
    const id = person?.id ?? expect.any(String)
    const user = person ?? { id, email: "ada@example.com", emailVerified: null }
    const account = {
      provider: "nodemailer",
      type: "email",
      providerAccountId: "ada@example.com",
      userId: id,
    }
    expect(reported).toEqual([
      { user, account, email: { verificationRequest: true } },
      { user, account },
    ])
  })
})
