import credentials from "@latchkey/qwik/providers/credentials"
import { createScriptedProvider } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { openTestApplication, type PageData } from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

const aliceFields = {
  providerId: "credentials",
  "options.user": alice.user,
  "options.password": alice.password,
}

const readPage = async (response: Response) => (await response.json()) as PageData

describe("signing in", () => {
  test("redirects a form with 303, and shows the session", async () => {
    const { signIn, shown } = openTestApplication({ config: createConfig() })
    const response = await signIn({ ...aliceFields, redirectTo: "/members" })
    expect(response.status).toBe(303)
    expect(response.headers.get("location")).toBe("http://app.example/members")
    expect(response.headers.getSetCookie().length).toBeGreaterThanOrEqual(2)
    expect(await shown()).toMatchObject({ session: { user: { name: "alice" } } })
  })

  test("prefers `options.redirectTo`, and returns to the page by default", async () => {
    const { signIn } = openTestApplication({ config: createConfig() })
    const both = { redirectTo: "/one", "options.redirectTo": "/two" }
    const response = await signIn({ ...aliceFields, ...both })
    expect(response.headers.get("location")).toBe("http://app.example/two")
    const neither = await signIn(aliceFields)
    expect(neither.headers.get("location")).toBe("http://app.example/")
  })

  test("never redirects to another site", async () => {
    const { signIn } = openTestApplication({ config: createConfig() })
    const response = await signIn({ ...aliceFields, redirectTo: "https://evil.example/" })
    expect(new URL(response.headers.get("location") ?? "").origin).toBe("http://app.example")
  })

  test("supports several credentials providers with their own fields", async () => {
    const { signIn, shown } = openTestApplication({ config: createConfig() })
    await signIn({ providerId: "pin", "options.pin": "4711" })
    expect(await shown()).toMatchObject({ session: { user: { name: "Pia" } } })
  })

  test("redirects to the sign-in page without a provider", async () => {
    const { signIn } = openTestApplication({ config: createConfig() })
    const response = await signIn({ redirectTo: "/members" })
    expect(response.status).toBe(303)
    expect(new URL(response.headers.get("location") ?? "").pathname).toBe("/auth/signin")
  })

  test("fails with type and code for a wrong password, and shows the page", async () => {
    const { signIn } = openTestApplication({ config: createConfig() })
    const response = await signIn({ ...aliceFields, "options.password": "wrong" })
    expect(response.status).toBe(403)
    expect(await readPage(response)).toMatchObject({
      session: null,
      result: {
        failed: true,
        fieldErrors: {},
        formErrors: ["CredentialsSignin"],
        code: "credentials",
      },
    })
    const lockedResponse = await signIn({ ...aliceFields, "options.password": "locked" })
    expect((await readPage(lockedResponse)).result).toMatchObject({ code: "locked" })
  })

  test("returns the fields to show again, without the password", async () => {
    const { signIn } = openTestApplication({ config: createConfig() })
    const shown = { redirectTo: "/members", "options.email": "alice@example.com" }
    const submitted = {
      ...aliceFields,
      ...shown,
      "options.password": "wrong",
      password: "misplaced",
    }
    const form = { ...shown, providerId: "credentials" }
    expect((await readPage(await signIn(submitted))).form).toEqual(form)
    const invalidResponse = await signIn({ ...submitted, options: "text" })
    expect(invalidResponse.status).toBe(400)
    expect((await readPage(invalidResponse)).form).toEqual(form)
  })

  test("fails with 429 for too many attempts", async () => {
    const config = createConfig({ rateLimit: () => false })
    const response = await openTestApplication({ config }).signIn(aliceFields)
    expect(response.status).toBe(429)
    expect((await readPage(response)).result).toMatchObject({ formErrors: ["TooManyRequests"] })
  })

  test("hides errors of the server from the user", async () => {
    const failingProvider = credentials({
      credentials: {},
      authorize() {
        throw new Error("the database is gone")
      },
    })
    const config = createConfig({ providers: [failingProvider] })
    const response = await openTestApplication({ config }).signIn(aliceFields)
    expect(response.status).toBe(500)
    const text = await response.text()
    expect(text).toContain("Configuration")
    expect(text).not.toContain("database")
  })

  test("refuses a form of another site, also where Qwik does not check", async () => {
    // Where no token is checked, `trustedOrigins` changes nothing.
    const config = createConfig({ trustedOrigins: ["https://evil.example"] })
    for (const checkOrigin of [true, false]) {
      const { visitor: user, signInId, shown } = openTestApplication({ config, checkOrigin })
      const response = await user.post(`/?qaction=${signInId}`, aliceFields, {
        from: "https://evil.example",
      })
      expect(response.status).toBe(403)
      expect(await shown()).toMatchObject({ session: null })
    }
  })
})

describe("fields of a form", () => {
  test("of the wrong type are named", async () => {
    const { visitor: user, signInId } = openTestApplication({ config: createConfig() })
    const response = await user.fetch(`/?qaction=${signInId}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        providerId: 1,
        redirectTo: {},
        options: { redirectTo: 2 },
        authorizationParams: { prompt: 3 },
      }),
    })
    expect(response.status).toBe(400)
    expect((await readPage(response)).result).toEqual({
      failed: true,
      fieldErrors: {
        providerId: "Expected text.",
        redirectTo: "Expected text.",
        options: "Expected `redirectTo` as text.",
        authorizationParams: "Expected text, or an object of texts.",
      },
      formErrors: [],
    })
  })

  test("of the wrong type are named at sign-out, too", async () => {
    const { visitor: user, signOutId } = openTestApplication({ config: createConfig() })
    const response = await user.fetch(`/?qaction=${signOutId}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirectTo: 1 }),
    })
    expect((await readPage(response)).result).toMatchObject({
      fieldErrors: { redirectTo: "Expected text." },
    })
  })
})

describe("scripts of the page", () => {
  const getRouterPaths = (path: string) => ({
    1: `${path.replace(/\/$/, "")}/q-data.json`,
    2: path,
  })

  test.each([1, 2] as const)(
    "of Qwik %i are redirected to another page of the site",
    async (major) => {
      const { visitor: user, signInId } = openTestApplication({ config: createConfig() })
      const response = await user.fetch(`${getRouterPaths("/")[major]}?qaction=${signInId}`, {
        method: "POST",
        headers: { accept: major === 2 ? "application/json" : "*/*" },
        body: { ...aliceFields, redirectTo: "/members?a=b" },
      })
      expect(response.status).toBe(303)
      expect(response.headers.get("location")).toBe("/members?a=b")
      expect((await user.getSession())?.user?.name).toBe("alice")
    },
  )

  test("of Qwik 1 receive the URL of a provider, because they cannot follow redirects", async () => {
    const plaza = {
      id: "plaza",
      name: "Plaza",
      type: "oauth" as const,
      clientId: "a",
      clientSecret: "b",
      authorization: "https://plaza.example//authorize",
      token: "https://plaza.example/token",
      userinfo: "https://plaza.example/info",
    }
    const {
      visitor: user,
      signInId,
      signIn,
    } = openTestApplication({ config: createConfig({ providers: [plaza] }) })
    const fields = {
      providerId: "plaza",
      "authorizationParams.prompt": "login",
      redirectTo: "/members",
    }
    const dataResponse = await user.fetch(`/q-data.json?qaction=${signInId}`, {
      method: "POST",
      body: fields,
    })
    expect(dataResponse.status).toBe(200)
    const { redirect } = (await dataResponse.json()) as { redirect: string }
    expect(redirect).toMatch(/^https:\/\/plaza\.example\/\/authorize\?/)
    expect(new URL(redirect).searchParams.get("prompt")).toBe("login")
    const formResponse = await signIn(fields)
    expect(formResponse.status).toBe(303)
    expect(formResponse.headers.get("location")).toMatch(/^https:\/\/plaza\.example\/\/authorize\?/)
  })
})

test("a form cannot override the parameters that a provider configures", async () => {
  const provider = await createScriptedProvider()
  const authorization = { params: { prompt: "login" } }
  const config = createConfig({ providers: [provider.asOidc({ authorization })] })
  const response = await openTestApplication({ config }).signIn({
    providerId: provider.id,
    "authorizationParams.prompt": "none",
    "authorizationParams.login_hint": "ada",
  })
  const { searchParams } = new URL(response.headers.get("location") ?? "")
  expect(searchParams.getAll("prompt")).toEqual(["login"])
  expect(searchParams.get("login_hint")).toBe("ada")
})

describe("signing out", () => {
  test("ends the session, and redirects", async () => {
    const {
      signIn,
      signOut,
      shown,
      visitor: user,
    } = openTestApplication({ config: createConfig() })
    await signIn(aliceFields)
    const response = await signOut({ redirectTo: "/bye" })
    expect(response.status).toBe(303)
    expect(response.headers.get("location")).toBe("http://app.example/bye")
    expect(await shown()).toMatchObject({ session: null })
    expect(user.cookies.names.filter((name) => name.includes("session-token"))).toEqual([])
  })
})
