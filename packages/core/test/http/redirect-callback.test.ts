/** Security case 14: the application decides where people go, and its mistakes lead home. */
import { skipCSRFCheck } from "@latchkey/core"
import { describe, expect, test } from "vitest"
import { callbackCookie, callbackDoors } from "../support/callback-doors.ts"
import { bareSite, home, post, rightWord, type SiteConfig, site } from "../support/front-door.ts"

type Redirect = (params: { url: string; baseUrl: string }) => string | Promise<string>

const throws: Redirect = () => {
  throw new RangeError("no such tenant")
}

/** What an application in plain JavaScript may answer. */
const answering = (answer: unknown): Redirect => (() => answer) as Redirect

const mistakes: Record<string, Redirect> = {
  throws,
  rejects: async (params) => throws(params),
  "answers nothing": answering(undefined),
  "answers null": answering(null),
  "answers false": answering(false),
  "answers a number": answering(42),
  "answers an object": answering({ url: "/x" }),
  "answers an empty text": () => "",
  "answers a script": () => "javascript:alert(1)",
  "answers a foreign host without a scheme": () => "//evil.example/x",
  "answers a foreign host behind a backslash": () => "/\\evil.example/x",
  "answers a URL with credentials": () => "https://app.example@evil.example",
  "answers a line break": () => "/a\r\nSet-Cookie: b=c",
  "answers a relative path": () => "dashboard",
  "answers an address that is too long": () => `/${"a".repeat(5000)}`,
}

describe.each(Object.entries(mistakes))("a `redirect` that %s", (_, redirect) => {
  test.each(Object.entries(callbackDoors))("14 leads home, and is logged: %s", async (_, door) => {
    const made = await site({ callbacks: { redirect } })
    const targets = await door(made, "/dashboard")
    expect(targets.at(-1)).toBe(home)
    expect(made.log.errors.length).toBeGreaterThan(0)
    expect(new Set(made.log.errors).size).toBe(1)
  })
})

describe("`redirect`", () => {
  test("14 may lead to another site, which the application chose", async () => {
    const { config } = bareSite({ callbacks: { redirect: () => "https://www.example/welcome" } })
    const answer = await signOut(config, { callbackUrl: "/a" })
    expect(answer.headers.get("location")).toBe("https://www.example/welcome")
  })

  test("may answer with a path", async () => {
    const { config } = bareSite({ callbacks: { redirect: async () => "/welcome?x=1" } })
    const answer = await signOut(config, { callbackUrl: "/a" })
    expect(answer.headers.get("location")).toBe(`${home}/welcome?x=1`)
  })

  test("gets the URL as it was given, and the origin of the request", async () => {
    const asked: unknown[] = []
    const redirect: Redirect = (params) => {
      asked.push(params)
      return params.baseUrl
    }
    const { config } = bareSite({ callbacks: { redirect } })
    await signOut(config, { callbackUrl: "/a?b#c" })
    await signOut(config, { callbackUrl: "https://www.example/x" })
    expect(asked).toEqual([
      { url: "/a?b#c", baseUrl: home },
      { url: "https://www.example/x", baseUrl: home },
    ])
  })

  test("decides at every sign-in and sign-out, also for who asked for nothing in particular", async () => {
    const made = await site({ callbacks: { redirect: () => "/welcome" } })
    const alice = made.visitor()
    await alice.open("/auth/signin")
    const signedIn = await alice.signIn(made.provider)
    expect(signedIn.headers.get("location")).toBe(`${home}/welcome`)

    alice.cookies.plant(home, `${callbackCookie}=${encodeURIComponent(home)}; Path=/; Secure`)
    const again = await alice.signIn("credentials", rightWord)
    expect(again.headers.get("location")).toBe(`${home}/welcome`)
    expect((await alice.signOut()).headers.get("location")).toBe(`${home}/welcome`)
  })

  test("decides about the address that `signIn` answers with", async () => {
    const callbacks = { signIn: () => "https://evil.example/denied" }
    const { visitor, provider } = await site({ callbacks })
    const alice = visitor()
    const begun = await alice.begin(provider)
    const answer = await alice.open(provider.approve(begun))
    expect(answer.headers.get("location")).toBe(home)
    expect(await alice.session()).toBeNull()
  })
})

/** Signs nobody out, on behalf of the site's own code: there is no form to prove. */
function signOut(config: SiteConfig, fields: Record<string, string>): Promise<Response> {
  return post({ ...config, skipCSRFCheck }, "/auth/signout", fields)
}
