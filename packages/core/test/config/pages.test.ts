/** `pages`: the application's pages instead of the built-in ones. */

import { findConfigProblems } from "@latchkey/cli/config-problems"
import { setEnvDefaults } from "@latchkey/core"
import type { PagesOptions } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { findElement, findElements } from "../support/html-parser.ts"
import { openSignedIn } from "../support/signed-in-page.ts"
import {
  createMinimalSite,
  createTestSite,
  postForm,
  sendRequest,
  siteOrigin,
  validCredentials,
} from "../support/test-site.ts"

/** Returns the redirect of a GET request with custom pages. */
async function readRedirect(action: string, pages: Partial<PagesOptions>): Promise<string | null> {
  const response = await sendRequest(createMinimalSite({ pages }).config, `/auth/${action}`)
  expect(response.status).toBe(302)
  return response.headers.get("location")
}

const encodedOrigin = encodeURIComponent(siteOrigin)

describe("signIn", () => {
  test.each([
    ["/login", `/login?callbackUrl=${encodedOrigin}`],
    ["/login?lang=en", `/login?lang=en&callbackUrl=${encodedOrigin}`],
    ["/login?", `/login?callbackUrl=${encodedOrigin}`],
    ["/login#form", `/login?callbackUrl=${encodedOrigin}#form`],
    ["https://login.example/in", `https://login.example/in?callbackUrl=${encodedOrigin}`],
  ])("%s receives the callback URL", async (signIn, to) => {
    expect(await readRedirect("signin", { signIn })).toBe(to)
  })

  test("receives the error", async () => {
    const to = await readRedirect("signin?error=CredentialsSignin&callbackUrl=/a", {
      signIn: "/login",
    })
    const query = `callbackUrl=${encodeURIComponent(`${siteOrigin}/a`)}&error=CredentialsSignin`
    expect(to).toBe(`/login?${query}`)
  })

  test("receives the error of a failed sign-in", async () => {
    for (const [signIn, to] of [
      ["/login", `${siteOrigin}/login?`],
      ["/login?lang=en", `${siteOrigin}/login?lang=en&`],
      ["https://login.example/in", "https://login.example/in?"],
    ] as const) {
      const alice = createMinimalSite({ pages: { signIn } }).openBrowser()
      const response = await alice.signIn("credentials", { ...validCredentials, word: "wrong" })
      const query = `error=CredentialsSignin&code=credentials&callbackUrl=${encodedOrigin}`
      expect(response.headers.get("location")).toBe(to + query)
    }
  })
})

describe("signOut", () => {
  test.each(["/bye", "/bye?lang=en#now", "https://login.example/out"])(
    "%s is led to as it is written",
    async (signOut) => {
      expect(await readRedirect("signout?callbackUrl=/a", { signOut })).toBe(signOut)
    },
  )

  test("does not affect POST requests", async () => {
    const alice = createMinimalSite({ pages: { signOut: "/bye" } }).openBrowser()
    await alice.signIn("credentials", validCredentials)
    const response = await alice.signOut({ callbackUrl: "/a" })
    expect(response.headers.get("location")).toBe(`${siteOrigin}/a`)
    expect(await alice.getSession()).toBeNull()
  })
})

describe("error", () => {
  test.each([
    ["/oops", "/oops?error=Verification"],
    ["/oops?lang=en", "/oops?lang=en&error=Verification"],
    ["https://errors.example/", "https://errors.example/?error=Verification"],
  ])("%s receives the error", async (error, to) => {
    expect(await readRedirect("error?error=Verification", { error })).toBe(to)
  })

  test.each([
    ["/oops", `${siteOrigin}/oops?error=Configuration`],
    ["/oops?lang=en", `${siteOrigin}/oops?lang=en&error=Configuration`],
    ["https://errors.example/", "https://errors.example/?error=Configuration"],
  ])("%s receives server errors", async (error, to) => {
    const { config } = createMinimalSite({ pages: { error } })
    const response = await postForm(config, "/auth/signin/nobody")
    expect(response.headers.get("location")).toBe(to)
  })
})

describe("verifyRequest", () => {
  test.each([
    ["/mail", "/mail?provider=email&type=email"],
    ["/mail?lang=en", "/mail?lang=en&provider=email&type=email"],
    ["https://login.example/mail", "https://login.example/mail?provider=email&type=email"],
  ])("%s receives the query", async (verifyRequest, to) => {
    expect(await readRedirect("verify-request?provider=email&type=email", { verifyRequest })).toBe(
      to,
    )
  })

  test("receives no query if there is none", async () => {
    expect(await readRedirect("verify-request", { verifyRequest: "/mail" })).toBe("/mail")
  })
})

describe("newUser", () => {
  test.each([
    ["/welcome", `/welcome?callbackUrl=${encodeURIComponent(`${siteOrigin}/a`)}`],
    ["/welcome?x=1", `/welcome?x=1&callbackUrl=${encodeURIComponent(`${siteOrigin}/a`)}`],
    [
      "https://www.example/",
      `https://www.example/?callbackUrl=${encodeURIComponent(`${siteOrigin}/a`)}`,
    ],
  ])("%s is opened after the first sign-in only", async (newUser, to) => {
    const { openBrowser, provider } = await createTestSite({ pages: { newUser } })
    const alice = openBrowser()
    const first = await alice.open(
      provider.approve(await alice.startSignIn(provider, { callbackUrl: "/a" })),
    )
    expect(first.headers.get("location")).toBe(to)
    const second = await alice.signIn(provider)
    expect(second.headers.get("location")).toBe(`${siteOrigin}/a`)
  })
})

describe("any page", () => {
  const actions = {
    signIn: "signin",
    signOut: "signout",
    error: "error",
    verifyRequest: "verify-request",
  } as const
  const names = Object.keys(actions) as (keyof typeof actions)[]

  test.each(names)("%s can contain non-ASCII characters", async (name) => {
    const to = await readRedirect(actions[name], { [name]: "/größe/エラー?q=ж" })
    expect(new URL(to ?? "", siteOrigin).pathname).toBe(
      "/gr%C3%B6%C3%9Fe/%E3%82%A8%E3%83%A9%E3%83%BC",
    )
    expect(new URL(to ?? "", siteOrigin).searchParams.get("q")).toBe("ж")
  })

  test.each(names)("is the built-in one if it names its own action by URL: %s", async (name) => {
    for (const end of ["", "/", "?a=b"]) {
      const pages = { [name]: `${siteOrigin}/auth/${actions[name]}${end}` }
      const target = `/auth/${actions[name]}?error=Other`
      const { config } = createMinimalSite({ pages })
      for (const response of [
        await openSignedIn(config, target),
        await sendRequest({ ...config, secret: "short" }, target),
      ]) {
        expect(response.headers.get("location")).toBeNull()
        expect(response.headers.get("content-type")).toContain("text/html")
      }
    }
    // Another origin has an action of its own.
    const url = `https://login.example/auth/${actions[name]}`
    expect(await readRedirect(actions[name], { [name]: url })).toContain(url)
  })

  test.each(names)("is the built-in one if it is undefined: %s", async (name) => {
    const pages = { [name]: undefined } as unknown as PagesOptions
    const { config } = createMinimalSite({ pages })
    expect((await openSignedIn(config, `/auth/${actions[name]}`)).status).toBe(200)
  })

  test.each(names)("%s does not replace the others", async (name) => {
    const { config } = createMinimalSite({ pages: { [name]: "/own" } })
    for (const other of names.filter((each) => each !== name)) {
      expect((await openSignedIn(config, `/auth/${actions[other]}`)).status).toBe(200)
    }
  })

  test.each([
    "login",
    "",
    "//evil.example",
    "/\\evil.example",
    "https://",
    "javascript:alert(1)",
    "/a\nb",
    "/a b\u0000",
    "ftp://a.b",
  ])("with an invalid URL is an error of the configuration: %j", async (page) => {
    for (const name of [...names, "newUser"] as const) {
      const { config, log } = createMinimalSite({ pages: { [name]: page } })
      expect((await sendRequest(config, "/auth/session")).status).toBe(500)
      expect(log.lines.flat()).toContainEqual(expect.stringContaining(`\`pages.${name}\``))
    }
  })
})

describe("an action as its own page", () => {
  test.each(["", "/", "?lang=en", "#top", "/../error"])(
    "is an error of the configuration, on a page that does not redirect: %j",
    async (rest) => {
      const { config, log } = createMinimalSite({ pages: { error: `/auth/error${rest}` } })
      const response = await sendRequest(config, "/auth/error?error=AccessDenied")
      expect(response.status).toBe(500)
      expect(log.lines.flat()).toContainEqual(expect.stringContaining("`pages.error`"))
    },
  )

  test("is recognized in a URL on the origin of AUTH_URL", async () => {
    const problemsOf = async (AUTH_URL: string, pages: Partial<PagesOptions>) => {
      const { config } = createMinimalSite({ pages, basePath: "/auth" })
      setEnvDefaults({ AUTH_URL }, config, true)
      return (await findConfigProblems(config)).map(({ option }) => option)
    }
    const signOut = "https://app.example/auth/signout"
    expect(await problemsOf("https://app.example", { signOut })).toEqual(["pages.signOut"])
    expect(await problemsOf("https://other.example", { signOut })).toEqual([])
    const pages = { error: "/auth/signin", newUser: "/auth/signin" }
    expect(await problemsOf("https://app.example", pages)).toEqual([])
  })
})

describe("built-in pages", () => {
  test("show the providers in the order of the configuration", async () => {
    const { config } = await createTestSite()
    const page = await (await sendRequest(config, "/auth/signin?callbackUrl=/a")).text()
    const submits = findElements(page, "button", { type: "submit" }).map(({ text }) => text)
    expect(submits).toHaveLength(3)
    expect(submits[0]).toContain("Scripted")
    expect(findElement(page, "input", { name: "word" }).attributes.get("type")).toBe("password")
    expect(findElement(page, "input", { name: "email" }).attributes.get("type")).toBe("email")
  })
})
