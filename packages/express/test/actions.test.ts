/** `signIn`, `signOut` and `updateSession` in routes of the application. */
import {
  AuthError,
  CredentialsSignin,
  getSession,
  MiddlewareAuth,
  signIn,
  signOut,
  updateSession,
} from "@latchkey/express"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import type { ErrorRequestHandler, RequestHandler } from "express"
import { describe, expect, test } from "vitest"
import { alice, createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { serve } from "./support/http.ts"

const errorHandler: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error instanceof AuthError ? 422 : 500).send(error.type ?? String(error))
}

/** Express 4 does not wait for promises. */
const forwardRejections =
  (handler: (...parameters: Parameters<RequestHandler>) => Promise<unknown>): RequestHandler =>
  (req, res, next) =>
    void handler(req, res, next).catch(next)

describe.each(expressVersions)("Express $major", ({ express }) => {
  async function createApplication(changes: Parameters<typeof createConfig>[0] = {}) {
    const provider = await createScriptedProvider()
    const config = createConfig({
      ...changes,
      callbacks: {
        jwt({ token, trigger, session }) {
          if (trigger === "update") token.name = String(session.name)
          return token
        },
      },
    })
    config.providers.push(provider.asOidc())
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    app.use(express.urlencoded({ extended: false }))
    app.post(
      "/signin",
      forwardRejections(async (req, res) => {
        const { provider, ...fields } = req.body
        res.append("set-cookie", "other=1; Path=/")
        res.redirect(303, await signIn(req, config, provider, { fields, redirectTo: "/members" }))
      }),
    )
    app.post(
      "/signout",
      forwardRejections(async (req, res) =>
        res.redirect(303, await signOut(req, config, { redirectTo: "/bye" })),
      ),
    )
    app.post(
      "/rename",
      forwardRejections(async (req, res) => res.json(await updateSession(req, config, req.body))),
    )
    app.post(
      "/twice",
      forwardRejections(async (req, res) => {
        await updateSession(req, config, { name: "Alison" })
        res.json(await getSession(req, config))
      }),
    )
    app.post(
      "/leave",
      forwardRejections(async (req, res) => {
        await signOut(req, config)
        res.json(await getSession(req, config))
      }),
    )
    app.get(
      "/who",
      forwardRejections(async (req, res) => res.json(await getSession(req, config))),
    )
    app.all(
      "/any/:action",
      forwardRejections(async (req, res) => {
        if (req.params["action"] === "signin")
          res.send(await signIn(req, config, "credentials", { fields: { ...alice } }))
        else if (req.params["action"] === "signout") res.send(await signOut(req, config))
        else res.json(await updateSession(req, config, { name: "Mallory" }))
      }),
    )
    app.use(errorHandler)
    const origin = await serve(app)
    return { person: createTestBrowser(origin), origin, provider }
  }

  const post = (
    user: ReturnType<typeof createTestBrowser>,
    path: string,
    fields: object,
    from?: string,
  ) => user.post(path, { ...fields }, from === undefined ? {} : { from })

  test("sign in, update the session and sign out, without a CSRF token", async () => {
    const { person: user, origin } = await createApplication()
    const signInResponse = await post(user, "/signin", { provider: "credentials", ...alice })
    expect(signInResponse.status).toBe(303)
    expect(signInResponse.headers.get("location")).toBe(`${origin}/members`)
    expect(user.cookies.names).toContain("other")
    const updateResponse = await post(user, "/rename", { name: "Alice II" })
    expect(await updateResponse.json()).toMatchObject({ user: { name: "Alice II" } })
    expect(await (await user.open("/who")).json()).toMatchObject({ user: { name: "Alice II" } })
    const signOutResponse = await post(user, "/signout", {})
    expect(signOutResponse.headers.get("location")).toBe(`${origin}/bye`)
    expect(await (await user.open("/who")).json()).toBeNull()
  })

  test.each([
    ["/leave", null],
    ["/twice", { user: { name: "Alison" } }],
  ])("%s stands for what is asked later in the same request", async (path, expected) => {
    const { person: user } = await createApplication({ session: { updateAge: 0 } })
    await post(user, "/signin", { provider: "credentials", ...alice })
    for (const response of [await post(user, path, {}), await user.open("/who")]) {
      const session = await response.json()
      if (expected === null) expect(session).toBeNull()
      else expect(session).toMatchObject(expected)
    }
  })

  test("start a sign-in with a provider, which redirects to the middleware", async () => {
    const { person: user, provider, origin } = await createApplication()
    const signInResponse = await post(user, "/signin", { provider: "scripted" })
    const { url } = provider.approve(signInResponse.headers.get("location") ?? "")
    expect(url.origin + url.pathname).toBe(`${origin}/auth/callback/scripted`)
    await user.open(url.href)
    expect(await user.getSession()).toMatchObject({ user: {} })
  })

  test("can override the parameters that a provider configures", async () => {
    const provider = await createScriptedProvider()
    const authorization = { params: { prompt: "login" } }
    const config = createConfig({ providers: [provider.asOidc({ authorization })] })
    const app = express()
    app.post(
      "/signin",
      forwardRejections(async (req, res) => {
        const { authorizationParams, browserParams } = JSON.parse(String(req.headers["x-params"]))
        const url = await signIn(req, config, provider.id, { browserParams }, authorizationParams)
        res.redirect(303, url)
      }),
    )
    const user = createTestBrowser(await serve(app))
    const getPrompt = async (params: object) => {
      const headers = { "x-params": JSON.stringify(params) }
      const response = await user.post("/signin", {}, { headers })
      return new URL(response.headers.get("location") ?? "").searchParams.getAll("prompt")
    }
    expect(await getPrompt({ authorizationParams: { prompt: "none" } })).toEqual(["none"])
    expect(await getPrompt({ browserParams: { prompt: "none" } })).toEqual(["login"])
  })

  test("throw for wrong credentials, and sign nobody in", async () => {
    const { person: user } = await createApplication()
    const response = await post(user, "/signin", { provider: "credentials", password: "wrong" })
    expect([response.status, await response.text()]).toEqual([422, CredentialsSignin.type])
    expect(await (await user.open("/who")).json()).toBeNull()
  })

  test("sign out permanently, even while the session is being read", async () => {
    const config = createConfig({
      session: { updateAge: 0 },
      callbacks: {
        async jwt({ token }) {
          await new Promise((resolve) => setTimeout(resolve, 20))
          return token
        },
      },
    })
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    app.post(
      "/signout",
      forwardRejections(async (req, res) => {
        const earlySession = getSession(req, config)
        const redirectTo = await signOut(req, config, { redirectTo: "/bye" })
        await earlySession
        res.redirect(303, redirectTo)
      }),
    )
    const user = createTestBrowser(await serve(app))
    await user.signIn("credentials", alice)
    await post(user, "/signout", {})
    expect(await user.getSession()).toBeNull()
  })

  test.each(["/signin", "/signout", "/rename"])("refuse %s from another site", async (path) => {
    // Where no token is checked, `trustedOrigins` changes nothing.
    const { person: user } = await createApplication({ trustedOrigins: ["https://evil.example"] })
    await post(user, "/signin", { provider: "credentials", ...alice })
    const fields = { provider: "credentials", ...alice, name: "Mallory" }
    const response = await post(user, path, fields, "https://evil.example")
    expect([response.status, await response.text()]).toEqual([422, "MissingCSRF"])
    expect(await (await user.open("/who")).json()).toMatchObject({ user: { name: "alice" } })
  })

  test.each(["signin", "signout", "rename"])(
    "refuse %s by a link, even on a page of the site",
    async (action) => {
      const { person: user, origin } = await createApplication()
      await post(user, "/signin", { provider: "credentials", ...alice })
      const cookie = [...user.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
      const headers = { cookie, "sec-fetch-site": "same-origin" }
      for (const method of ["GET", "HEAD"]) {
        const response = await fetch(`${origin}/any/${action}`, { method, headers })
        expect(response.status).toBe(422)
        expect(await response.text()).toBe(method === "GET" ? "InvalidRequest" : "")
        expect(response.headers.getSetCookie()).toEqual([])
      }
      expect(await (await user.open("/who")).json()).toMatchObject({ user: { name: "alice" } })
      expect((await fetch(`${origin}/any/${action}`, { method: "DELETE", headers })).status).toBe(
        200,
      )
    },
  )

  test("refuse requests without an origin", async () => {
    const { origin } = await createApplication()
    const body = new URLSearchParams({ provider: "credentials", ...alice })
    const response = await fetch(`${origin}/signin`, { method: "POST", body, redirect: "manual" })
    expect([response.status, await response.text()]).toEqual([422, "MissingCSRF"])
  })
})
