import { CompiledAuth, CredentialsSignin } from "@latchkey/sveltekit"
import TenantIdp from "@latchkey/sveltekit/providers/tenantidp"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { isHttpError, isRedirect, type RequestEvent } from "@sveltejs/kit"
import { describe, expect, test, vi } from "vitest"
import { createApplication, createEvent, createFormRequest } from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))

const origin = "https://app.example"

/** Returns the value that an action throws. */
async function catchError(work: Promise<never>): Promise<unknown> {
  return work.catch((error: unknown) => error)
}

/** Returns the URL to which an action redirects. */
async function getRedirectTarget(work: Promise<never>): Promise<string> {
  const error = await catchError(work)
  if (!isRedirect(error)) throw error
  expect(error.status).toBe(303)
  return error.location
}

describe("signing in", () => {
  const { signIn } = CompiledAuth(createConfig())
  const signInWith = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    signIn(
      createEvent(createFormRequest(`${origin}/base/signin`, { ...alice, ...fields }, headers))
        .event,
    )

  test.each([
    ["where the form says", { redirectTo: "/members?a=b#c" }, {}, "/members?a=b#c"],
    ["where the form says in other words", { callbackUrl: "/members" }, {}, "/members"],
    ["to the page of the form", {}, { referer: `${origin}/base/shop?a=b` }, "/base/shop?a=b"],
    [
      "to the `callbackUrl` of that page",
      {},
      { referer: `${origin}/base/signin?callbackUrl=%2Fmembers` },
      "/members",
    ],
    ["home from a page of another site", {}, { referer: "https://evil.example/" }, "/base/"],
    ["home from nowhere", {}, { referer: "about:client" }, "/base/"],
    ["no further than the own site", { redirectTo: "https://evil.example/" }, {}, "/"],
    [
      "only to the same origin",
      { redirectTo: `${origin}//evil.example` },
      {},
      `${origin}//evil.example`,
    ],
  ])(
    "leads %s",
    async (_, fields: Record<string, string>, headers: Record<string, string>, expected) => {
      expect(await getRedirectTarget(signInWith(fields, headers))).toBe(expected)
    },
  )

  test("throws the application's error for wrong credentials", async () => {
    const error = await catchError(signInWith({ password: "wrong" }))
    expect(error).toBeInstanceOf(CredentialsSignin)
    expect(error).toMatchObject({ code: "wrong_password" })
  })

  test.each(["", "nobody"])(
    "redirects to the sign-in page with provider %j",
    async (providerId) => {
      const parts = CompiledAuth(createConfig({ pages: { signIn: "/signin" } }))
      const user = createTestBrowser(createApplication(parts, { "/signin": parts.signIn }))
      const response = await user.post("/signin", { providerId, redirectTo: "/members" })
      expect(response.headers.get("location")).toBe("/base/auth/signin")
      const page = await user.open("/base/auth/signin")
      const callbackUrl = encodeURIComponent(`${origin}/members`)
      expect(page.headers.get("location")).toBe(`/signin?callbackUrl=${callbackUrl}`)
    },
  )

  test("refuses other content types than forms", async () => {
    const request = new Request(`${origin}/signin`, {
      method: "POST",
      body: "providerId=people",
      headers: { origin },
    })
    const error = await catchError(signIn(createEvent(request).event))
    expect(isHttpError(error, 400)).toBe(true)
  })

  test("accepts the fields of a form that was already read", async () => {
    const { event } = createEvent(createFormRequest(`${origin}/signin`, alice))
    const form = await event.request.formData()
    await expect(catchError(signIn(event))).resolves.toBeInstanceOf(TypeError)
    expect(await getRedirectTarget(signIn(event, form))).toBe("/base/")
    expect(
      await getRedirectTarget(signIn(event, Object.entries({ ...alice, redirectTo: "/a" }))),
    ).toBe("/a")
  })
})

test.each([
  ["another origin", { origin: "https://evil.example" }],
  ["another site", { "sec-fetch-site": "cross-site" }],
  ["another host of the site, with our origin", { "sec-fetch-site": "same-site" }],
  ["a sandboxed page", { origin: "null" }],
])("the actions refuse a form of %s, even if SvelteKit allows it", async (_, headers) => {
  // Where no token is checked, `trustedOrigins` changes nothing.
  const config = createConfig({ trustedOrigins: ["https://evil.example"] })
  const { signIn, signOut } = CompiledAuth(config)
  for (const action of [signIn, signOut]) {
    const { event, cookies } = createEvent(createFormRequest(`${origin}/page`, alice, headers))
    expect(await catchError(action(event))).toMatchObject({ status: 403 })
    expect(cookies.size).toBe(0)
  }
})

test("signing in with a provider and authorization parameters", async () => {
  const provider = await createScriptedProvider()
  const parts = CompiledAuth(
    createConfig({ providers: [TenantIdp({ ...provider.asOptions(), tenantId: "t" })] }),
  )
  const app = createApplication(parts, {
    "/signin": parts.signIn,
    "/": ({ locals }) => locals.auth(),
  })
  const ada = createTestBrowser(app, { basePath: "/base/auth" })
  const fields = {
    providerId: "tenantidp",
    "authorizationParams-prompt": "login",
    redirectTo: "/members",
  }
  const signInResponse = await ada.post("/signin", fields)
  const authorizationUrl = new URL(signInResponse.headers.get("location") ?? "")
  expect(authorizationUrl.searchParams.get("prompt")).toBe("login")
  const callbackResponse = await ada.open(provider.approve(authorizationUrl))
  expect(callbackResponse.headers.get("location")).toBe(`${origin}/members`)
  expect(await (await ada.open("/")).json()).toMatchObject({ user: { email: "ada@example.com" } })
})

test("only server code can override the parameters that a provider configures", async () => {
  const provider = await createScriptedProvider()
  const authorization = { params: { prompt: "login" } }
  const parts = CompiledAuth(createConfig({ providers: [provider.asOidc({ authorization })] }))
  const app = createApplication(parts, {
    "/signin": parts.signIn,
    "/silent": (event) => parts.signIn(event, undefined, {}, { prompt: "none" }),
  })
  const fields = { providerId: provider.id, "authorizationParams-prompt": "consent" }
  const getPrompt = async (path: string) => {
    const response = await createTestBrowser(app, { basePath: "/base/auth" }).post(path, fields)
    return new URL(response.headers.get("location") ?? "").searchParams.getAll("prompt")
  }
  expect(await getPrompt("/signin")).toEqual(["login"])
  expect(await getPrompt("/silent")).toEqual(["none"])
})

describe("signing out", () => {
  test("ends the session, and redirects to `redirectTo`", async () => {
    const parts = CompiledAuth(createConfig())
    const app = createApplication(parts, {
      "/signin": parts.signIn,
      "/signout": parts.signOut,
      "/": ({ locals }) => locals.auth(),
    })
    const user = createTestBrowser(app, { basePath: "/base/auth" })
    await user.post("/signin", alice)
    expect(await (await user.open("/")).json()).toMatchObject({ user: { name: "alice" } })
    const response = await user.post("/signout", { redirectTo: "/goodbye" })
    expect(response.headers.get("location")).toBe("/goodbye")
    expect(await (await user.open("/")).json()).toBeNull()
  })

  test("deletes all cookies of a session that grew during the request", async () => {
    const isLarge = { yet: false }
    const parts = CompiledAuth(
      createConfig({
        session: { updateAge: 0 },
        callbacks: {
          jwt: ({ token }) => (isLarge.yet ? { ...token, roles: "x".repeat(6000) } : token),
        },
      }),
    )
    const app = createApplication(parts, {
      "/signin": parts.signIn,
      "/signout": async (event: RequestEvent) => {
        isLarge.yet = true
        await event.locals.auth()
        return parts.signOut(event)
      },
      "/": ({ locals }) => locals.auth(),
    })
    const user = createTestBrowser(app, { basePath: "/base/auth" })
    await user.post("/signin", alice)
    await user.post("/signout", {})
    expect(await (await user.open("/")).json()).toBeNull()
    expect([...user.cookies].filter(({ name }) => name.includes("session-token"))).toEqual([])
  })
})
