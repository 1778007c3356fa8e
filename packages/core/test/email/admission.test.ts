import type { AuthConfig } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import { assertRefused, errorOf } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { postOffice } from "../support/post-office.ts"

type SignIn = NonNullable<NonNullable<AuthConfig["callbacks"]>["signIn"]>

/** A `signIn` callback that answers in one of the two phases, and lets everybody through in the other. */
function inPhase(phase: "request" | "link", answer: () => boolean | string): SignIn {
  return ({ email }) => {
    const now = email?.verificationRequest ? "request" : "link"
    return now === phase ? answer() : true
  }
}

const refusals: Readonly<Record<string, () => boolean | string>> = {
  false: () => false,
  "an empty text": () => "",
  "a throw": () => {
    throw new Error("members only")
  },
}

describe("102 `signIn` answering", () => {
  test.each(Object.entries(refusals))(
    "%s to a request sends and stores nothing",
    async (_, answer) => {
      const office = await postOffice({ callbacks: { signIn: inPhase("request", answer) } })
      const refused = await office.ask(office.visitor())
      assertRefused(refused)
      expect(refused.headers.get("location")).toBe(
        "https://app.example/auth/error?error=AccessDenied",
      )
      expect(office.box.messages).toEqual([])
      expect(office.counts()).toEqual([0, 0, 0, 0])
    },
  )

  test.each(Object.entries(refusals))("%s to a link creates nobody", async (_, answer) => {
    const office = await postOffice({ callbacks: { signIn: inPhase("link", answer) } })
    const ada = office.visitor()
    const refused = await ada.open(await office.link(ada))
    assertRefused(refused)
    expect(errorOf(refused)).toBe("AccessDenied")
    expect(await ada.session()).toBeNull()
    expect(office.counts().slice(0, 3)).toEqual([0, 0, 0])
  })

  test("a text to a request sends the browser there, and no mail", async () => {
    const office = await postOffice({
      callbacks: { signIn: inPhase("request", () => "/waitlist") },
    })
    const answer = await office.ask(office.visitor())
    expect(answer.headers.get("location")).toBe("https://app.example/waitlist")
    expect(office.box.messages).toEqual([])
    expect(office.counts()).toEqual([0, 0, 0, 0])
  })

  test("a text to a link sends the browser there, and lets nobody in", async () => {
    const office = await postOffice({ callbacks: { signIn: inPhase("link", () => "/waitlist") } })
    const ada = office.visitor()
    const answer = await ada.open(await office.link(ada))
    expect(answer.headers.get("location")).toBe("https://app.example/waitlist")
    expect(await ada.session()).toBeNull()
    expect(office.counts()).toEqual([0, 0, 0, 0])
  })

  test("a text that leads to another site sends the browser home", async () => {
    const office = await postOffice({
      callbacks: { signIn: inPhase("request", () => "https://evil.example/") },
    })
    const answer = await office.ask(office.visitor())
    expect(answer.headers.get("location")).toBe("https://app.example")
  })

  test.each(["request", "link"] as const)(
    "a throw in the %s phase logs the original message, and shows none",
    async (phase) => {
      const signIn = inPhase(phase, () => {
        throw new Error("ada is banned")
      })
      const office = await postOffice({ callbacks: { signIn } })
      const ada = office.visitor()
      const asked = await office.ask(ada)
      const answer = phase === "request" ? asked : await ada.open(office.box.latestLink())
      expect(office.log.messages("AccessDenied")).toEqual(["ada is banned"])
      expect(answer.headers.get("location")).not.toContain("banned")
    },
  )

  test("an error of the library is one in the link phase, and a denial in the request phase", async () => {
    for (const [phase, error] of [
      ["request", "AccessDenied"],
      ["link", "Configuration"],
    ] as const) {
      const signIn = inPhase(phase, () => {
        throw new AuthError("not today")
      })
      const office = await postOffice({ callbacks: { signIn } })
      const ada = office.visitor()
      const asked = await office.ask(ada)
      const answer = phase === "request" ? asked : await ada.open(office.box.latestLink())
      expect(errorOf(answer)).toBe(error)
    }
  })
})

describe("what `signIn` is told", () => {
  test.each([
    ["a new person", false],
    ["a stored person", true],
  ])("of %s, in both phases", async (_, known) => {
    const told: Parameters<SignIn>[0][] = []
    const office = await postOffice({
      callbacks: {
        signIn(parameters) {
          told.push(structuredClone(parameters))
          return true
        },
      },
    })
    const person = known ? await office.user() : undefined
    const ada = office.visitor()
    await ada.open(await office.link(ada))
    const id = person?.id ?? expect.any(String)
    const user = person ?? { id, email: "ada@example.com", emailVerified: null }
    const account = {
      provider: "nodemailer",
      type: "email",
      providerAccountId: "ada@example.com",
      userId: id,
    }
    expect(told).toEqual([
      { user, account, email: { verificationRequest: true } },
      { user, account },
    ])
  })
})
