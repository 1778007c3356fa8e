import { type Session, type SessionEnv, useSession } from "@hono/session"
import { Hono } from "hono"
import { createHandlerSender, type HttpRequest } from "../http.ts"
import { password, testUser } from "../test-user.ts"
import type { Library, Site } from "./library.ts"
import { createSessionCookies } from "./sign-in.ts"

/** Encrypts sessions; the application signs users in. It does not run on Express. */
export const honoSessionLibrary: Library = {
  packages: ["@hono/session", "hono"],
  transports: ["process"],
  hasStoredSessions: false,
  openSite: async (_, origin) => createSite(origin),
}

interface SessionData extends Record<string, unknown> {
  user: typeof testUser
}

function createSite(origin: string): Site {
  const app = createApp()
  const send = createHandlerSender(origin, async (request) => app.fetch(request))
  return {
    send,
    createSessionCookies: (count) => createSessionCookies(signInRequest, send, count),
    sessionRequest: { method: "GET", path: "/me" },
    pageRequest: { method: "GET", path: "/me" },
    createCredentialsRequest: async () => signInRequest,
  }
}

const signInRequest: HttpRequest = {
  method: "POST",
  path: "/login",
  form: { email: testUser.email, password },
}

function createApp(): Hono<SessionEnv<SessionData>> {
  const app = new Hono<SessionEnv<SessionData>>()
  // It takes the bytes of a key instead of a password.
  const secret = crypto.getRandomValues(new Uint8Array(32))
  app.use(useSession<SessionData>({ secret, duration: { absolute: 2_592_000 } }))
  app.get("/me", async (c) => c.json((await c.var.session.get())?.user ?? null))
  app.post("/login", async (c) => {
    await signIn(c.var.session, new URLSearchParams(await c.req.text()))
    return c.redirect("/")
  })
  return app
}

async function signIn(session: Session<SessionData>, fields: URLSearchParams): Promise<void> {
  if (fields.get("email") !== testUser.email || fields.get("password") !== password)
    throw new TypeError("Incorrect sign-in details")
  await session.update({ user: testUser })
}
