import credentials from "@latchkey/qwik/providers/credentials"
import { describe, expect, test, vi } from "vitest"
import { type Shown, visitorOf } from "./support/app.ts"
import { alice, configOf } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

const asAlice = {
  providerId: "credentials",
  "options.user": alice.user,
  "options.password": alice.password,
}

const shownBy = async (answer: Response) => (await answer.json()) as Shown

describe("signing in", () => {
  test("leads a form on with 303, and shows the session", async () => {
    const { signIn, shown } = visitorOf({ config: configOf() })
    const answer = await signIn({ ...asAlice, redirectTo: "/members" })
    expect(answer.status).toBe(303)
    expect(answer.headers.get("location")).toBe("http://app.example/members")
    expect(answer.headers.getSetCookie().length).toBeGreaterThanOrEqual(2)
    expect(await shown()).toMatchObject({ session: { user: { name: "alice" } } })
  })

  test("prefers `options.redirectTo`, and comes back to the page without either", async () => {
    const { signIn } = visitorOf({ config: configOf() })
    const both = { redirectTo: "/one", "options.redirectTo": "/two" }
    const answer = await signIn({ ...asAlice, ...both })
    expect(answer.headers.get("location")).toBe("http://app.example/two")
    const neither = await signIn(asAlice)
    expect(neither.headers.get("location")).toBe("http://app.example/")
  })

  test("leads nobody to another site", async () => {
    const { signIn } = visitorOf({ config: configOf() })
    const answer = await signIn({ ...asAlice, redirectTo: "https://evil.example/" })
    expect(new URL(answer.headers.get("location") ?? "").origin).toBe("http://app.example")
  })

  test("knows every provider of credentials, with fields of its own", async () => {
    const { signIn, shown } = visitorOf({ config: configOf() })
    await signIn({ providerId: "pin", "options.pin": "4711" })
    expect(await shown()).toMatchObject({ session: { user: { name: "Pia" } } })
  })

  test("without a provider it leads to the sign-in page", async () => {
    const { signIn } = visitorOf({ config: configOf() })
    const answer = await signIn({ redirectTo: "/members" })
    expect(answer.status).toBe(303)
    expect(new URL(answer.headers.get("location") ?? "").pathname).toBe("/auth/signin")
  })

  test("a wrong password fails with its type and code, and shows the page", async () => {
    const { signIn } = visitorOf({ config: configOf() })
    const answer = await signIn({ ...asAlice, "options.password": "wrong" })
    expect(answer.status).toBe(403)
    expect(await shownBy(answer)).toMatchObject({
      session: null,
      result: {
        failed: true,
        fieldErrors: {},
        formErrors: ["CredentialsSignin"],
        code: "credentials",
      },
    })
    const locked = await signIn({ ...asAlice, "options.password": "locked" })
    expect((await shownBy(locked)).result).toMatchObject({ code: "locked" })
  })

  test("the page gets back what may be shown again, and no password", async () => {
    const { signIn } = visitorOf({ config: configOf() })
    const shown = { redirectTo: "/members", "options.email": "alice@example.com" }
    const typed = { ...asAlice, ...shown, "options.password": "wrong", password: "misplaced" }
    const form = { ...shown, providerId: "credentials" }
    expect((await shownBy(await signIn(typed))).form).toEqual(form)
    const refused = await signIn({ ...typed, options: "text" })
    expect(refused.status).toBe(400)
    expect((await shownBy(refused)).form).toEqual(form)
  })

  test("a limit of attempts fails with 429", async () => {
    const config = configOf({ rateLimit: () => false })
    const answer = await visitorOf({ config }).signIn(asAlice)
    expect(answer.status).toBe(429)
    expect((await shownBy(answer)).result).toMatchObject({ formErrors: ["TooManyRequests"] })
  })

  test("what is wrong with the server is none of the person's business", async () => {
    const people = credentials({
      credentials: {},
      authorize() {
        throw new Error("the database is gone")
      },
    })
    const config = configOf({ providers: [people] })
    const answer = await visitorOf({ config }).signIn(asAlice)
    expect(answer.status).toBe(500)
    const text = await answer.text()
    expect(text).toContain("Configuration")
    expect(text).not.toContain("database")
  })

  test("a form of another site is refused, also where Qwik does not look", async () => {
    for (const checkOrigin of [true, false]) {
      const { visitor, signInId, shown } = visitorOf({ config: configOf(), checkOrigin })
      const answer = await visitor.post(`/?qaction=${signInId}`, asAlice, {
        from: "https://evil.example",
      })
      expect(answer.status).toBe(403)
      expect(await shown()).toMatchObject({ session: null })
    }
  })
})

describe("what a form may say", () => {
  test("fields of a wrong kind are named", async () => {
    const { visitor, signInId } = visitorOf({ config: configOf() })
    const answer = await visitor.fetch(`/?qaction=${signInId}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        providerId: 1,
        redirectTo: {},
        options: { redirectTo: 2 },
        authorizationParams: { prompt: 3 },
      }),
    })
    expect(answer.status).toBe(400)
    expect((await shownBy(answer)).result).toEqual({
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

  test("a sign-out with a wrong field is told so, too", async () => {
    const { visitor, signOutId } = visitorOf({ config: configOf() })
    const answer = await visitor.fetch(`/?qaction=${signOutId}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirectTo: 1 }),
    })
    expect((await shownBy(answer)).result).toMatchObject({
      fieldErrors: { redirectTo: "Expected text." },
    })
  })
})

describe("scripts of the page", () => {
  const asRouter = (path: string) => ({
    1: `${path.replace(/\/$/, "")}/q-data.json`,
    2: path,
  })

  test.each([1, 2] as const)("of Qwik %i are led to another page of the site", async (major) => {
    const { visitor, signInId } = visitorOf({ config: configOf() })
    const answer = await visitor.fetch(`${asRouter("/")[major]}?qaction=${signInId}`, {
      method: "POST",
      headers: { accept: major === 2 ? "application/json" : "*/*" },
      body: { ...asAlice, redirectTo: "/members?a=b" },
    })
    expect(answer.status).toBe(303)
    expect(answer.headers.get("location")).toBe("/members?a=b")
    expect((await visitor.session())?.user?.name).toBe("alice")
  })

  test("of Qwik 1 are told the address of a provider, which they cannot follow", async () => {
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
    const { visitor, signInId, signIn } = visitorOf({ config: configOf({ providers: [plaza] }) })
    const fields = {
      providerId: "plaza",
      "authorizationParams.prompt": "login",
      redirectTo: "/members",
    }
    const told = await visitor.fetch(`/q-data.json?qaction=${signInId}`, {
      method: "POST",
      body: fields,
    })
    expect(told.status).toBe(200)
    const { redirect } = (await told.json()) as { redirect: string }
    expect(redirect).toMatch(/^https:\/\/plaza\.example\/\/authorize\?/)
    expect(new URL(redirect).searchParams.get("prompt")).toBe("login")
    const plain = await signIn(fields)
    expect(plain.status).toBe(303)
    expect(plain.headers.get("location")).toMatch(/^https:\/\/plaza\.example\/\/authorize\?/)
  })
})

describe("signing out", () => {
  test("ends the session, and leads on", async () => {
    const { signIn, signOut, shown, visitor } = visitorOf({ config: configOf() })
    await signIn(asAlice)
    const answer = await signOut({ redirectTo: "/bye" })
    expect(answer.status).toBe(303)
    expect(answer.headers.get("location")).toBe("http://app.example/bye")
    expect(await shown()).toMatchObject({ session: null })
    expect(visitor.cookies.names.filter((name) => name.includes("session-token"))).toEqual([])
  })
})
