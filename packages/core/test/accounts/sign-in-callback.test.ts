import type { AuthConfig } from "@latchkey/core"
import {
  AccessDenied,
  AuthError,
  CredentialsSignin,
  OAuthAccountNotLinked,
  Verification,
} from "@latchkey/core/errors"
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { linkingHouse } from "../support/linking-house.ts"

type SignIn = NonNullable<NonNullable<AuthConfig["callbacks"]>["signIn"]>

class Custom extends CredentialsSignin {
  override code = "over-quota"
}

class Unknown extends AuthError {}

/** Signs in while the callback does something, and tells what came of it. */
async function attempt(signIn: () => unknown) {
  // What an application in JavaScript returns is part of what is tested.
  const house = await linkingHouse({ callbacks: { signIn: signIn as SignIn } })
  const visitor = house.visitor()
  const answer = await visitor.signIn(house.work)
  return { house, visitor, answer, to: answer.headers.get("location") }
}

const home = "https://app.example"
const throwing = (error: unknown) => () => Promise.reject(error)

describe("a `signIn` callback that returns", () => {
  test.each([true, 1, {}])("%j lets the person in", async (result) => {
    const { visitor, to } = await attempt(() => result)
    expect(to).toBe(home)
    expect(await visitor.session()).not.toBeNull()
  })

  test.each([false, undefined, null, 0, ""])(
    "%j keeps them out, and stores nothing",
    async (result) => {
      const { house, visitor, answer, to } = await attempt(() => result)
      assertRefused(answer)
      expect(to).toBe(`${home}/auth/error?error=AccessDenied`)
      expect((await visitor.follow(answer)).status).toBe(403)
      expect(await visitor.session()).toBeNull()
      expect(house.counts()).toEqual([0, 0, 0, 0])
    },
  )

  test.each([
    ["/waitlist?from=work", `${home}/waitlist?from=work`],
    [`${home}/waitlist`, `${home}/waitlist`],
    ["https://evil.example/", home],
    ["//evil.example/", home],
    ["javascript:alert(1)", home],
  ])("the text %s sends the browser to the site and lets nobody in", async (result, target) => {
    const { house, visitor, to } = await attempt(() => result)
    expect(to).toBe(target)
    expect(await visitor.session()).toBeNull()
    expect(house.counts()).toEqual([0, 0, 0, 0])
  })
})

test("a text passes through the `redirect` callback, which may know other sites", async () => {
  const asked: string[] = []
  const house = await linkingHouse({
    callbacks: {
      signIn: () => "https://plans.example/upgrade",
      redirect({ url }) {
        asked.push(url)
        return url
      },
    },
  })
  const answer = await house.visitor().signIn(house.work)
  expect(answer.headers.get("location")).toBe("https://plans.example/upgrade")
  expect(asked).toContain("https://plans.example/upgrade")
})

describe("a `signIn` callback that throws", () => {
  test("an error keeps the person out; its message is that of AccessDenied in the log", async () => {
    const { house, visitor, answer, to } = await attempt(
      throwing(new Error("list of members is gone")),
    )
    assertRefused(answer)
    expect(to).toBe(`${home}/auth/error?error=AccessDenied`)
    expect(house.log.messages("AccessDenied")).toEqual(["list of members is gone"])
    expect(await (await visitor.follow(answer)).text()).not.toContain("list of members")
    expect(await visitor.session()).toBeNull()
    expect(house.counts()).toEqual([0, 0, 0, 0])
  })

  test.each([
    ["a text", "members only", "members only"],
    ["nothing", undefined, "undefined"],
    ["an object", { reason: 1 }, "[object Object]"],
  ])("%s that is no error keeps the person out as well", async (_, thrown, message) => {
    const { house, answer, to } = await attempt(throwing(thrown))
    assertRefused(answer)
    expect(to).toBe(`${home}/auth/error?error=AccessDenied`)
    expect(house.log.messages("AccessDenied")).toEqual([message])
  })

  test.each([
    ["AccessDenied", new AccessDenied("no"), "/auth/error?error=AccessDenied"],
    ["Verification", new Verification("no"), "/auth/error?error=Verification"],
    [
      "OAuthAccountNotLinked",
      new OAuthAccountNotLinked("no"),
      "/auth/signin?error=OAuthAccountNotLinked",
    ],
    [
      "a subclass of CredentialsSignin",
      new Custom(),
      "/auth/signin?error=CredentialsSignin&code=over-quota",
    ],
    ["AuthError itself", new AuthError("no"), "/auth/error?error=Configuration"],
    ["a subclass that nobody knows", new Unknown("no"), "/auth/error?error=Configuration"],
  ])("%s has its own page", async (_, error, path) => {
    const { house, visitor, answer, to } = await attempt(throwing(error))
    assertRefused(answer)
    expect(to).toBe(home + path)
    expect(house.log.errors()).toEqual([error.type])
    expect(await visitor.session()).toBeNull()
    expect(house.counts()).toEqual([0, 0, 0, 0])
  })
})

test("what the callback writes to the user is stored and announced", async () => {
  const house = await linkingHouse({
    callbacks: {
      signIn({ user }) {
        user.name = "Ada, renamed"
        return true
      },
    },
  })
  const visitor = house.visitor()
  await visitor.signIn(house.work)
  expect(house.rows("User")).toMatchObject([{ name: "Ada, renamed" }])
})
