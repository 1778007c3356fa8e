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
import { browser, scriptedProvider } from "@latchkey/testing"
import type { ErrorRequestHandler, RequestHandler } from "express"
import { describe, expect, test } from "vitest"
import { alice, configOf } from "./support/config.ts"
import { majors } from "./support/express.ts"
import { serve } from "./support/http.ts"

const told: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error instanceof AuthError ? 422 : 500).send(error.type ?? String(error))
}

/** Express 4 does not wait for promises. */
const caught =
  (work: (...parameters: Parameters<RequestHandler>) => Promise<unknown>): RequestHandler =>
  (req, res, next) =>
    void work(req, res, next).catch(next)

describe.each(majors)("Express $major", ({ express }) => {
  async function application(changes: Parameters<typeof configOf>[0] = {}) {
    const provider = await scriptedProvider()
    const config = configOf({
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
      caught(async (req, res) => {
        const { provider, ...fields } = req.body
        const options = { ...fields, redirectTo: "/members" }
        res.append("set-cookie", "other=1; Path=/")
        res.redirect(303, await signIn(req, config, { provider, options }))
      }),
    )
    app.post(
      "/signout",
      caught(async (req, res) =>
        res.redirect(303, await signOut(req, config, { redirectTo: "/bye" })),
      ),
    )
    app.post(
      "/rename",
      caught(async (req, res) => res.json(await updateSession(req, config, req.body))),
    )
    app.post(
      "/twice",
      caught(async (req, res) => {
        await updateSession(req, config, { name: "Alison" })
        res.json(await getSession(req, config))
      }),
    )
    app.post(
      "/leave",
      caught(async (req, res) => {
        await signOut(req, config)
        res.json(await getSession(req, config))
      }),
    )
    app.get(
      "/who",
      caught(async (req, res) => res.json(await getSession(req, config))),
    )
    app.use(told)
    const origin = await serve(app)
    return { person: browser(origin), origin, provider }
  }

  const post = (person: ReturnType<typeof browser>, path: string, fields: object, from?: string) =>
    person.post(path, { ...fields }, from === undefined ? {} : { from })

  test("sign somebody in, change the session, and sign out, without a form token", async () => {
    const { person, origin } = await application()
    const entered = await post(person, "/signin", { provider: "credentials", ...alice })
    expect(entered.status).toBe(303)
    expect(entered.headers.get("location")).toBe(`${origin}/members`)
    expect(person.cookies.names).toContain("other")
    const renamed = await post(person, "/rename", { name: "Alice II" })
    expect(await renamed.json()).toMatchObject({ user: { name: "Alice II" } })
    expect(await (await person.open("/who")).json()).toMatchObject({ user: { name: "Alice II" } })
    const left = await post(person, "/signout", {})
    expect(left.headers.get("location")).toBe(`${origin}/bye`)
    expect(await (await person.open("/who")).json()).toBeNull()
  })

  test.each([
    ["/leave", null],
    ["/twice", { user: { name: "Alison" } }],
  ])("%s stands for what is asked later in the same request", async (path, expected) => {
    const { person } = await application({ session: { updateAge: 0 } })
    await post(person, "/signin", { provider: "credentials", ...alice })
    for (const answer of [await post(person, path, {}), await person.open("/who")]) {
      const session = await answer.json()
      if (expected === null) expect(session).toBeNull()
      else expect(session).toMatchObject(expected)
    }
  })

  test("begin a sign-in with a provider, which comes back to the middleware", async () => {
    const { person, provider, origin } = await application()
    const begun = await post(person, "/signin", { provider: "scripted" })
    const { url } = provider.approve(begun.headers.get("location") ?? "")
    expect(url.origin + url.pathname).toBe(`${origin}/auth/callback/scripted`)
    await person.open(url.href)
    expect(await person.session()).toMatchObject({ user: {} })
  })

  test("throw what a person typed wrongly, and leave nobody signed in", async () => {
    const { person } = await application()
    const answer = await post(person, "/signin", { provider: "credentials", password: "wrong" })
    expect([answer.status, await answer.text()]).toEqual([422, CredentialsSignin.type])
    expect(await (await person.open("/who")).json()).toBeNull()
  })

  test("sign out for good, whatever look-up was under way", async () => {
    const config = configOf({
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
      caught(async (req, res) => {
        const early = getSession(req, config)
        const to = await signOut(req, config, { redirectTo: "/bye" })
        await early
        res.redirect(303, to)
      }),
    )
    const person = browser(await serve(app))
    await person.signIn("credentials", alice)
    await post(person, "/signout", {})
    expect(await person.session()).toBeNull()
  })

  test.each(["/signin", "/signout", "/rename"])("30 refuse %s from another site", async (path) => {
    const { person } = await application()
    await post(person, "/signin", { provider: "credentials", ...alice })
    const fields = { provider: "credentials", ...alice, name: "Mallory" }
    const answer = await post(person, path, fields, "https://evil.example")
    expect([answer.status, await answer.text()]).toEqual([422, "MissingCSRF"])
    expect(await (await person.open("/who")).json()).toMatchObject({ user: { name: "alice" } })
  })

  test("30 refuse what does not say where it comes from", async () => {
    const { origin } = await application()
    const body = new URLSearchParams({ provider: "credentials", ...alice })
    const answer = await fetch(`${origin}/signin`, { method: "POST", body, redirect: "manual" })
    expect([answer.status, await answer.text()]).toEqual([422, "MissingCSRF"])
  })
})
