/** The request that callbacks, events and `authorize` receive. */
import { type AuthConfig, createAuth } from "@latchkey/core"
import { createSessionReader } from "@latchkey/core/session-reader"
import type { RequestView } from "@latchkey/core/types"
import { describe, expect, test, vi } from "vitest"
import { ada, createLinkingApp } from "../support/linking-app.ts"
import { createPasswordApp, password } from "../support/password-app.ts"

/** Callbacks and events that record what they see of the request. */
function recordViews(strategy: "jwt" | "database" = "jwt") {
  const views = new Map<string, RequestView>()
  const texts: string[] = []
  const record = (name: string, message: { request: RequestView }) => {
    views.set(name, message.request)
    texts.push(JSON.stringify([message, { ...message }]))
  }
  const on = (name: string) => (message: { request: RequestView }) => record(name, message)
  const changes = {
    session: { strategy },
    callbacks: {
      signIn(params) {
        record("signIn", params)
        return true
      },
      redirect(params) {
        record("redirect", params)
        return new URL(params.url, params.baseUrl).href
      },
      jwt(params) {
        record("jwt", params)
        return params.token
      },
      session(params) {
        record("session", params)
        return params.session
      },
    },
    events: {
      signIn: on("event signIn"),
      signOut: on("event signOut"),
      createUser: on("event createUser"),
      linkAccount: on("event linkAccount"),
      session: on("event session"),
    },
  } satisfies Partial<AuthConfig>
  return { views, texts, changes }
}

describe.each(["jwt", "database"] as const)("with strategy %s", (strategy) => {
  test("callbacks and events see URL and headers of the request", async () => {
    const { views, texts, changes } = recordViews(strategy)
    const app = await createLinkingApp(changes)
    app.work.setUser(ada)
    const person = app.openBrowser()
    await person.signIn(app.work, { callbackUrl: "/account" })
    const callback = views.get("signIn")
    expect(callback?.url.pathname).toBe("/auth/callback/work")
    expect(callback?.url.searchParams.has("code")).toBe(true)
    expect(callback?.headers.get("cookie")).toContain("authjs.state")
    expect(callback?.clientAddress).toBeUndefined()
    for (const name of ["event signIn", "event createUser", "event linkAccount"])
      expect(views.get(name)?.url.href).toBe(callback?.url.href)
    expect(views.get("redirect")?.url.pathname).toBe("/auth/signin/work")
    if (strategy === "jwt") expect(views.get("jwt")?.url.href).toBe(callback?.url.href)
    await person.getSession()
    for (const name of ["session", "event session"])
      expect(views.get(name)?.url.pathname).toBe("/auth/session")
    await person.signOut()
    expect(views.get("event signOut")?.url.pathname).toBe("/auth/signout")
    expect(texts.join()).not.toMatch(/cookie|"request"/)
  })
})

test("each callback has its own copies", async () => {
  const { changes } = recordViews()
  const seen: (string | null)[] = []
  const jwt: NonNullable<AuthConfig["callbacks"]>["jwt"] = ({ token, request }) => {
    request.headers.delete("cookie")
    request.url.pathname = "/elsewhere"
    return token
  }
  const session: NonNullable<AuthConfig["callbacks"]>["session"] = ({ session, request }) => {
    seen.push(request.url.pathname, request.headers.get("cookie"))
    return session
  }
  const app = createPasswordApp({ ...changes, callbacks: { jwt, session } })
  const browser = await app.openSignedInBrowser()
  expect(await browser.getSession()).not.toBeNull()
  expect(seen).toEqual(["/auth/session", expect.stringContaining("session-token")])
})

test("`authorize` receives it beside the request with the credentials", async () => {
  const app = createPasswordApp()
  const authorize = vi.fn(() => null)
  const [provider] = app.config.providers
  const config = { ...app.config, providers: [{ ...provider, options: { authorize } } as never] }
  const auth = createAuth(config)
  const body = new URLSearchParams({ name: "alice", password })
  const headers = { origin: "https://app.example", "sec-fetch-site": "same-origin" }
  const signIn = auth.signIn(
    {
      headers: new Headers(headers),
      url: "https://app.example/signin?from=page",
      clientAddress: "192.0.2.7",
    },
    "credentials",
    { fields: Object.fromEntries(body) },
  )
  await expect(signIn).rejects.toMatchObject({ type: "CredentialsSignin" })
  const [[credentials, request, context]] = authorize.mock.calls as unknown as [
    [object, Request, { request: RequestView }],
  ]
  expect(credentials).toEqual({ name: "alice", password })
  expect(await request.json()).toEqual(credentials)
  expect(context.request.url.href).toBe("https://app.example/signin?from=page")
  expect(context.request.headers.get("origin")).toBe("https://app.example")
  expect(context.request.clientAddress).toBe("192.0.2.7")
})

test("`auth.getSession`, `auth.updateSession` and the session reader pass it on", async () => {
  const { views, changes } = recordViews()
  const app = createPasswordApp(changes)
  const browser = await app.openSignedInBrowser()
  const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const headers = new Headers({ cookie, "user-agent": "a browser" })
  const auth = createAuth(app.config)
  const { providers: _, attemptLimits: __, ...readerConfig } = app.config
  for (const read of [
    () => auth.getSession({ headers, url: "https://app.example/page" }),
    () => auth.updateSession({ headers, url: "https://app.example/page" }, {}),
    () =>
      createSessionReader(readerConfig).getSession({ headers, url: "https://app.example/page" }),
  ]) {
    views.clear()
    expect((await read()).session).not.toBeNull()
    expect(views.get("jwt")?.headers.get("user-agent")).toBe("a browser")
    expect(views.get("session")?.url.pathname).toBe("/page")
  }
})
