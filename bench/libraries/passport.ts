import express, { type RequestHandler } from "express"
import session from "express-session"
import * as openid from "openid-client"
import { Strategy as OpenidStrategy } from "openid-client/passport"
import passport from "passport"
import { Strategy as LocalStrategy } from "passport-local"
import type { Ask } from "../exchange.ts"
import { password, person, secret } from "../person.ts"
import { client } from "../provider.ts"
import { sendToMiddleware } from "./connect.ts"
import type { Kind, Library, Site } from "./library.ts"
import { openSessionRows, type People } from "./session-rows.ts"
import { cookiesOf } from "./sign-in.ts"

export const passportLibrary: Library = {
  name: "express-session + passport",
  packages: ["express-session", "passport", "passport-local", "openid-client", "express"],
  open,
}

async function open(kind: Kind, origin: string, folder: string): Promise<Site> {
  const rows = kind === "stored" ? openSessionRows(folder) : undefined
  const authenticator = await authenticatorFor(origin, rows?.people ?? inMemory)
  const sessions = session({
    secret,
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: 2_592_000_000 },
    ...(rows ? { store: rows.store } : {}),
  })
  const handle = inTurn([
    sessions,
    authenticator.session(),
    dispatch({
      "/me": me,
      "/login/password": inTurn([
        express.urlencoded(),
        authenticator.authenticate("local"),
        toHome,
      ]),
      "/login/id": authenticator.authenticate("id"),
      "/callback/id": inTurn([authenticator.authenticate("id"), toHome]),
    }),
  ])
  const send = sendToMiddleware(origin, handle)
  return {
    send,
    listener: expressApp(handle),
    cookies: (count) => cookiesOf(signIn, send, count),
    session: { method: "GET", path: "/me" },
    page: { method: "GET", path: "/page" },
    credentials: async () => signIn,
    oauth: async () => ({
      begin: { method: "GET", path: "/login/id" },
      urlOf: (reply) => reply.location,
    }),
  }
}

const inMemory: People = (id) => (id === person.id ? person : undefined)

const signIn: Ask = {
  method: "POST",
  path: "/login/password",
  form: { email: person.email, password },
}

const me: RequestHandler = (req, res) => {
  res.setHeader("content-type", "application/json")
  res.end(JSON.stringify(req.user ?? null))
}

/** With a page that Express writes, as it does for the other libraries. */
function expressApp(handle: RequestHandler): express.Express {
  const app = express()
  app.use(handle)
  app.get("/page", (req, res) => {
    res.json(req.user ?? null)
  })
  return app
}

const toHome: RequestHandler = (_, res) => {
  res.statusCode = 302
  res.setHeader("location", "/")
  res.end()
}

async function authenticatorFor(origin: string, people: People): Promise<passport.Authenticator> {
  const authenticator = new passport.Authenticator()
  authenticator.serializeUser<string>((user, done) => done(null, (user as typeof person).id))
  authenticator.deserializeUser<string>((id, done) => done(null, people(id) ?? false))
  authenticator.use(
    new LocalStrategy({ usernameField: "email" }, (email, typed, done) =>
      done(null, email === person.email && typed === password && person),
    ),
  )
  const config = await openid.discovery(new URL(client.issuer), client.id, client.secret)
  authenticator.use("id", strategyFor(config, origin, people))
  return authenticator
}

function strategyFor(config: openid.Configuration, origin: string, people: People): OpenidStrategy {
  class Strategy extends OpenidStrategy {
    override currentUrl(req: Parameters<OpenidStrategy["currentUrl"]>[0]): URL {
      return new URL(req.url, origin)
    }
  }
  const callbackURL = `${origin}/callback/id`
  return new Strategy({ config, callbackURL, scope: "openid profile email" }, (tokens, done) =>
    done(null, people(tokens.claims()?.sub ?? "")),
  )
}

/** Middlewares one after the other. */
function inTurn(handlers: readonly RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    const from = (at: number): void => {
      const handler = handlers[at]
      if (handler) void handler(req, res, (error) => (error ? next(error) : from(at + 1)))
      else next()
    }
    from(0)
  }
}

/** The handler of a path. */
function dispatch(handlers: Readonly<Record<string, RequestHandler>>): RequestHandler {
  return (req, res, next) => {
    const handler = handlers[req.url.split("?", 1)[0] ?? ""]
    return handler ? handler(req, res, next) : next()
  }
}
