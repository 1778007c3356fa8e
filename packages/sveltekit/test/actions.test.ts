import { CompiledAuth, CredentialsSignin } from "@latchkey/sveltekit"
import TenantIdp from "@latchkey/sveltekit/providers/tenantidp"
import { browser, scriptedProvider } from "@latchkey/testing"
import { isHttpError, isRedirect, type RequestEvent } from "@sveltejs/kit"
import { describe, expect, test, vi } from "vitest"
import { application, eventOf, formOf } from "./support/application.ts"
import { alice, configOf } from "./support/config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))

const origin = "https://app.example"

/** What an action throws. */
async function thrown(work: Promise<never>): Promise<unknown> {
  return work.catch((error: unknown) => error)
}

/** Where an action leads. */
async function target(work: Promise<never>): Promise<string> {
  const error = await thrown(work)
  if (!isRedirect(error)) throw error
  expect(error.status).toBe(303)
  return error.location
}

describe("signing in", () => {
  const { signIn } = CompiledAuth(configOf())
  const enter = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    signIn(eventOf(formOf(`${origin}/base/signin`, { ...alice, ...fields }, headers)).event)

  test.each([
    ["where the form says", { redirectTo: "/members?a=b#c" }, {}, "/members?a=b#c"],
    ["where the form says in other words", { callbackUrl: "/members" }, {}, "/members"],
    [
      "to the page that the form is on",
      {},
      { referer: `${origin}/base/shop?a=b` },
      "/base/shop?a=b",
    ],
    [
      "to where that page was told to lead to",
      {},
      { referer: `${origin}/base/signin?callbackUrl=%2Fmembers` },
      "/members",
    ],
    ["home from a page of another site", {}, { referer: "https://evil.example/" }, "/base/"],
    ["home from nowhere", {}, { referer: "about:client" }, "/base/"],
    ["no further than the own site", { redirectTo: "https://evil.example/" }, {}, "/"],
    [
      "no further than the own host",
      { redirectTo: `${origin}//evil.example` },
      {},
      `${origin}//evil.example`,
    ],
  ])(
    "leads %s",
    async (_, fields: Record<string, string>, headers: Record<string, string>, expected) => {
      expect(await target(enter(fields, headers))).toBe(expected)
    },
  )

  test("throws what the application says of wrong credentials", async () => {
    const error = await thrown(enter({ password: "wrong" }))
    expect(error).toBeInstanceOf(CredentialsSignin)
    expect(error).toMatchObject({ code: "wrong_password" })
  })

  test.each(["", "nobody"])("leads to the sign-in page with provider %j", async (providerId) => {
    const parts = CompiledAuth(configOf({ pages: { signIn: "/signin" } }))
    const person = browser(application(parts, { "/signin": parts.signIn }))
    const answer = await person.post("/signin", { providerId, redirectTo: "/members" })
    expect(answer.headers.get("location")).toBe("/base/auth/signin")
    const page = await person.open("/base/auth/signin")
    const callbackUrl = encodeURIComponent(`${origin}/members`)
    expect(page.headers.get("location")).toBe(`/signin?callbackUrl=${callbackUrl}`)
  })

  test("refuses what is no form", async () => {
    const request = new Request(`${origin}/signin`, { method: "POST", body: "providerId=people" })
    const error = await thrown(signIn(eventOf(request).event))
    expect(isHttpError(error, 400)).toBe(true)
  })

  test("takes the fields of a form that something else has read", async () => {
    const { event } = eventOf(formOf(`${origin}/signin`, alice))
    const form = await event.request.formData()
    await expect(thrown(signIn(event))).resolves.toBeInstanceOf(TypeError)
    expect(await target(signIn(event, form))).toBe("/base/")
    expect(await target(signIn(event, Object.entries({ ...alice, redirectTo: "/a" })))).toBe("/a")
  })
})

test("signing in at a provider, with parameters for it", async () => {
  const provider = await scriptedProvider()
  const parts = CompiledAuth(
    configOf({ providers: [TenantIdp({ ...provider.asOptions(), tenantId: "t" })] }),
  )
  const app = application(parts, { "/signin": parts.signIn, "/": ({ locals }) => locals.auth() })
  const ada = browser(app, { basePath: "/base/auth" })
  const fields = {
    providerId: "tenantidp",
    "authorizationParams-prompt": "login",
    redirectTo: "/members",
  }
  const begun = await ada.post("/signin", fields)
  const there = new URL(begun.headers.get("location") ?? "")
  expect(there.searchParams.get("prompt")).toBe("login")
  const back = await ada.open(provider.approve(there))
  expect(back.headers.get("location")).toBe(`${origin}/members`)
  expect(await (await ada.open("/")).json()).toMatchObject({ user: { email: "ada@example.com" } })
})

describe("signing out", () => {
  test("ends the session, and leads where the form says", async () => {
    const parts = CompiledAuth(configOf())
    const app = application(parts, {
      "/signin": parts.signIn,
      "/signout": parts.signOut,
      "/": ({ locals }) => locals.auth(),
    })
    const person = browser(app, { basePath: "/base/auth" })
    await person.post("/signin", alice)
    expect(await (await person.open("/")).json()).toMatchObject({ user: { name: "alice" } })
    const answer = await person.post("/signout", { redirectTo: "/goodbye" })
    expect(answer.headers.get("location")).toBe("/goodbye")
    expect(await (await person.open("/")).json()).toBeNull()
  })

  test("leaves nothing of a session that grew on the way", async () => {
    const isLarge = { yet: false }
    const parts = CompiledAuth(
      configOf({
        session: { updateAge: 0 },
        callbacks: {
          jwt: ({ token }) => (isLarge.yet ? { ...token, roles: "x".repeat(6000) } : token),
        },
      }),
    )
    const app = application(parts, {
      "/signin": parts.signIn,
      "/signout": async (event: RequestEvent) => {
        isLarge.yet = true
        await event.locals.auth()
        return parts.signOut(event)
      },
      "/": ({ locals }) => locals.auth(),
    })
    const person = browser(app, { basePath: "/base/auth" })
    await person.post("/signin", alice)
    await person.post("/signout", {})
    expect(await (await person.open("/")).json()).toBeNull()
    expect([...person.cookies].filter(({ name }) => name.includes("session-token"))).toEqual([])
  })
})
