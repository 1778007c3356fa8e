import express from "express"
import { getIronSession, type IronSession, webCookies } from "iron-session"
import { createHandlerSender, type HttpRequest } from "../http.ts"
import { password, secret, testUser } from "../test-user.ts"
import type { Library, Site } from "./library.ts"
import { createSessionCookies } from "./sign-in.ts"

/** Seals sessions; the application signs users in. */
export const ironSessionLibrary: Library = {
  packages: ["iron-session"],
  hasStoredSessions: false,
  openSite: async (_, origin) => createSite(origin),
}

interface SessionData {
  user: typeof testUser
}

const options = { cookieName: "session", password: secret, cookieOptions: { secure: false } }

function createSite(origin: string): Site {
  const send = createHandlerSender(origin, handleRequest)
  return {
    send,
    listener: createExpressApp(),
    createSessionCookies: (count) => createSessionCookies(signInRequest, send, count),
    async readUserEmail(cookie) {
      const request = new Request(origin, { headers: { cookie } })
      const { user } = await getIronSession<SessionData>(
        webCookies(request, new Headers()),
        options,
      )
      return user?.email
    },
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

/** Answers as a route handler of a framework with web objects. */
async function handleRequest(request: Request): Promise<Response> {
  const headers = new Headers()
  const session = await getIronSession<SessionData>(webCookies(request, headers), options)
  if (new URL(request.url).pathname === "/me") return Response.json(session.user ?? null)
  await signIn(session, Object.fromEntries(new URLSearchParams(await request.text())))
  headers.set("location", "/")
  return new Response(null, { status: 302, headers })
}

function createExpressApp(): express.Express {
  const app = express()
  app.get("/me", async (req, res) => {
    const session = await getIronSession<SessionData>(req, res, options)
    res.json(session.user ?? null)
  })
  app.post("/login", express.urlencoded(), async (req, res) => {
    await signIn(await getIronSession<SessionData>(req, res, options), req.body)
    res.redirect("/")
  })
  return app
}

async function signIn(
  session: IronSession<SessionData>,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  if (fields["email"] !== testUser.email || fields["password"] !== password)
    throw new TypeError("Incorrect sign-in details")
  session.user = testUser
  await session.save()
}
