import type { JWT } from "@latchkey/core/types"
import { AuthError, CompiledAuth } from "@latchkey/sveltekit"
import { createTestBrowser, withFrozenTime } from "@latchkey/testing"
import { isRedirect, type RequestEvent, redirect } from "@sveltejs/kit"
import { describe, expect, test, vi } from "vitest"
import { createApplication, createEvent, createFormRequest } from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))

const day = 86_400_000

/** Creates an application that signs users in at /signin, and a browser. */
function createSignedInBrowser(
  parts: ReturnType<typeof CompiledAuth>,
  routes: Record<string, (event: RequestEvent) => unknown>,
  origin?: string,
) {
  const app = createApplication(parts, { "/signin": parts.signIn, ...routes })
  const user = createTestBrowser(app, { basePath: "/base/auth", ...(origin ? { origin } : {}) })
  return user.post("/signin", alice).then(() => user)
}

test("the session is read on demand, once per request", async () => {
  const session = vi.fn(({ session }) => session)
  const user = await createSignedInBrowser(CompiledAuth(createConfig({ callbacks: { session } })), {
    "/": () => "public",
    "/members": async ({ locals }) => {
      const [first, second] = await Promise.all([locals.auth(), locals.auth()])
      return first === second && first?.user?.name
    },
  })
  session.mockClear()
  await user.open("/")
  expect(session).not.toHaveBeenCalled()
  expect(await (await user.open("/members")).json()).toBe("alice")
  expect(session).toHaveBeenCalledOnce()
})

describe("a renewed session", () => {
  test("is sent to the browser with the page", async () => {
    const user = await createSignedInBrowser(CompiledAuth(createConfig()), {
      "/": ({ locals }) => locals.auth(),
    })
    await user.open("/")
    expect(user.setCookieHeaders).toEqual([])
    await withFrozenTime(Date.now() + 2 * day, () => user.open("/"))
    expect(user.setCookieHeaders.join()).toMatch("__Secure-authjs.session-token=")
  })

  test("is sent with an error if the `jwt` callback changed it", async () => {
    let generation = 0
    const callbacks = {
      jwt: ({ token }: { token: JWT }) => ({ ...token, generation: ++generation }),
      session() {
        throw new Error("the database is down")
      },
    }
    const user = await createSignedInBrowser(CompiledAuth(createConfig({ callbacks })), {
      "/": async ({ locals }) => {
        await expect(locals.auth()).rejects.toBeInstanceOf(AuthError)
        return "a page without the session"
      },
    })
    expect((await user.open("/")).status).toBe(200)
    expect(user.setCookieHeaders.join()).toMatch("__Secure-authjs.session-token=")
  })

  test.each([false, true])(
    "prevents caching of the response (data request: %s)",
    async (isDataRequest) => {
      const parts = CompiledAuth(createConfig({ session: { updateAge: 0 } }))
      const user = await createSignedInBrowser(parts, {})
      const cookie = [...user.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
      const cacheable = {
        headers: { "cache-control": "public, max-age=600", "cdn-cache-control": "max-age=600" },
      }
      const getCacheControl = async (readsSession: boolean) => {
        const request = new Request(user.origin, { headers: { cookie } })
        const { event } = createEvent(request, { isDataRequest })
        const resolve = async () => {
          if (readsSession) await event.locals.auth()
          return new Response("page", cacheable)
        }
        const { headers } = await parts.handle({ event, resolve })
        return [headers.get("cache-control"), headers.get("cdn-cache-control")]
      }
      expect(await getCacheControl(false)).toEqual(["public, max-age=600", "max-age=600"])
      expect(await getCacheControl(true)).toEqual(["private, no-store", "private, no-store"])
    },
  )

  test.each([
    [308, true, 307],
    [301, true, 302],
    [308, false, 308],
    [303, true, 303],
  ] as const)(
    "prevents caching of a redirect %i of a later hook (session read: %s)",
    async (status, readsSession, expectedStatus) => {
      const parts = CompiledAuth(createConfig({ session: { updateAge: 0 } }))
      const user = await createSignedInBrowser(parts, {})
      const cookie = [...user.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
      const { event } = createEvent(new Request(user.origin, { headers: { cookie } }))
      const resolve = async () => {
        if (readsSession) await event.locals.auth()
        return redirect(status, "/elsewhere")
      }
      const thrown = parts.handle({ event, resolve })
      await expect(thrown).rejects.toMatchObject({ status: expectedStatus, location: "/elsewhere" })
      await expect(thrown).rejects.toSatisfy(isRedirect)
    },
  )

  test("is returned if the response has begun", async () => {
    const parts = CompiledAuth(createConfig({ session: { updateAge: 0 } }))
    const user = await createSignedInBrowser(parts, {})
    const cookie = [...user.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
    const headers = { cookie, origin: user.origin }
    const { event } = createEvent(new Request(user.origin, { headers }))
    await parts.handle({ event, resolve: () => new Response() })
    event.cookies.set = () => {
      throw new Error("Cannot use `cookies.set(...)` after the response has been generated")
    }
    expect(await event.locals.auth()).toMatchObject({ user: { name: "alice" } })
    await expect(event.locals.updateSession({})).rejects.toThrow("after the response")
  })
})

test.each([
  ["http://127.0.0.1:3000", false],
  ["https://app.example", true],
])("cookies at %s say themselves whether they are secure: %s", async (origin, secure) => {
  const parts = CompiledAuth(createConfig())
  const { event, cookies } = createEvent(createFormRequest(`${origin}/signin`, alice))
  await expect(parts.signIn(event)).rejects.toMatchObject({ status: 303 })
  const session = [...cookies.values()].find(({ name }) => name.endsWith("session-token"))
  expect(session?.options).toMatchObject({ secure, path: "/", httpOnly: true, sameSite: "lax" })
})

describe("updateSession", () => {
  const renamingConfig = createConfig({
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" ? { ...token, name: session.name } : token,
    },
  })

  test("changes the session, also for the rest of the request", async () => {
    const user = await createSignedInBrowser(CompiledAuth(renamingConfig), {
      "/": ({ locals }) => locals.auth(),
      "/account": async ({ locals }) => {
        await locals.auth()
        const updated = await locals.updateSession({ name: "Alison" })
        return [updated?.user?.name, (await locals.auth())?.user?.name]
      },
    })
    expect(await (await user.post("/account")).json()).toEqual(["Alison", "Alison"])
    expect(await (await user.open("/")).json()).toMatchObject({ user: { name: "Alison" } })
  })

  test.each<[string, string, Record<string, string>]>([
    ["a form of another site", "POST", { origin: "https://evil.example" }],
    ["a link on another site", "GET", { "sec-fetch-site": "cross-site" }],
    ["a link of an old browser, which does not say where it is", "GET", {}],
  ])("changes nothing for %s", async (_, method, headers) => {
    const parts = CompiledAuth(renamingConfig)
    const user = await createSignedInBrowser(parts, { "/": ({ locals }) => locals.auth() })
    const cookie = [...user.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
    const request = new Request(user.origin, { method, headers: { cookie, ...headers } })
    const { event, cookies } = createEvent(request)
    await parts.handle({ event, resolve: () => new Response() })
    const update = event.locals.updateSession({ name: "Mallory" })
    await expect(update).rejects.toMatchObject({ status: 403 })
    expect(cookies.size).toBe(0)
  })

  test("returns null if nobody is signed in", async () => {
    const app = createApplication(CompiledAuth(renamingConfig), {
      "/": ({ locals }) => locals.updateSession({}),
    })
    expect(await (await createTestBrowser(app).post("/")).json()).toBeNull()
  })
})

describe("changes earlier in the same request are kept", () => {
  /** Creates an application that continues after the redirect that an action throws. */
  async function createContinuingApplication() {
    const parts = CompiledAuth(
      createConfig({
        session: { updateAge: 0 },
        callbacks: {
          jwt: ({ token, trigger, session }) =>
            trigger === "update" ? { ...token, ...session } : token,
          session: ({ session, token }) => ({ ...session, pet: token["pet"] }),
        },
      }),
    )
    const runThenRead = (action: typeof parts.signOut) => async (event: RequestEvent) => {
      const before = event.locals.auth()
      await expect(action(event)).rejects.toMatchObject({ status: 303 })
      await before
      return event.locals.auth()
    }
    return createSignedInBrowser(parts, {
      "/switch": runThenRead(parts.signIn),
      "/signout": runThenRead(parts.signOut),
      "/twice": async ({ locals }) => {
        await locals.updateSession({ pet: "cat" })
        return locals.updateSession({ name: "Alison" })
      },
      "/": ({ locals }) => locals.auth(),
    })
  }

  test.each([
    ["/signout", {}, null],
    ["/switch", { ...alice, user: "bob" }, { user: { name: "bob" } }],
    ["/twice", {}, { user: { name: "Alison" }, pet: "cat" }],
  ])("%s", async (path, fields, expected) => {
    const user = await createContinuingApplication()
    const sameRequest = await (await user.post(path, fields)).json()
    const laterRequest = await (await user.open("/")).json()
    for (const session of [sameRequest, laterRequest]) {
      if (expected === null) expect(session).toBeNull()
      else expect(session).toMatchObject(expected)
    }
  })
})

test("a session that cannot be checked is an error, not a sign-out", async () => {
  let isDown = false
  const parts = CompiledAuth(
    createConfig({
      callbacks: {
        session({ session }) {
          if (isDown) throw new Error("no database")
          return session
        },
      },
    }),
  )
  const user = await createSignedInBrowser(parts, {
    "/": async ({ locals }) => {
      const reason: unknown = await locals.auth().catch((error: unknown) => error)
      return reason instanceof AuthError ? reason.type : reason
    },
  })
  isDown = true
  expect(await (await user.open("/")).json()).toBe("JWTSessionError")
  isDown = false
  expect(await (await user.open("/")).json()).toMatchObject({ user: { name: "alice" } })
})
