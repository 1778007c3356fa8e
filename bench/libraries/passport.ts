import express, { type RequestHandler } from "express"
import session from "express-session"
import * as openid from "openid-client"
import { Strategy as OpenidStrategy } from "openid-client/passport"
import passport from "passport"
import { Strategy as LocalStrategy } from "passport-local"
import type { HttpRequest } from "../http.ts"
import { providerClient } from "../provider.ts"
import { password, secret, testUser } from "../test-user.ts"
import { type FindUser, openSessionStore } from "./express-session-store.ts"
import type { Library, SessionStorage, Site } from "./library.ts"
import { createMiddlewareSender } from "./middleware-sender.ts"
import { createSessionCookies } from "./sign-in.ts"

export const passportLibrary: Library = {
  packages: ["express-session", "passport", "passport-local", "openid-client", "express"],
  hasStoredSessions: true,
  openSite,
}

async function openSite(storage: SessionStorage, origin: string, folder: string): Promise<Site> {
  const sessionStore = storage === "stored" ? openSessionStore(folder) : undefined
  const authenticator = await createAuthenticator(origin, sessionStore?.people ?? findInMemory)
  const sessionMiddleware = session({
    secret,
    resave: false,
    saveUninitialized: false,
    cookie: { maxAge: 2_592_000_000 },
    ...(sessionStore ? { store: sessionStore.store } : {}),
  })
  const sessions = composeMiddleware([sessionMiddleware, authenticator.session()])
  const routes = {
    "/login/password": composeMiddleware([
      express.urlencoded(),
      authenticator.authenticate("local"),
      redirectHome,
    ]),
    "/login/id": authenticator.authenticate("id"),
    "/callback/id": composeMiddleware([authenticator.authenticate("id"), redirectHome]),
  }
  const handle = composeMiddleware([sessions, routeByPath({ "/me": sendUser, ...routes })])
  const send = createMiddlewareSender(origin, handle)
  return {
    send,
    listener: createExpressApp(sessions, routes),
    createSessionCookies: (count) => createSessionCookies(signInRequest, send, count),
    sessionRequest: { method: "GET", path: "/me" },
    pageRequest: { method: "GET", path: "/me" },
    createCredentialsRequest: async () => signInRequest,
    createOAuthSteps: async () => ({
      startRequest: { method: "GET", path: "/login/id" },
      readAuthorizationUrl: (reply) => reply.location,
    }),
  }
}

const findInMemory: FindUser = (id) => (id === testUser.id ? testUser : undefined)

const signInRequest: HttpRequest = {
  method: "POST",
  path: "/login/password",
  form: { email: testUser.email, password },
}

const sendUser: RequestHandler = (req, res) => {
  res.setHeader("content-type", "application/json")
  res.end(JSON.stringify(req.user ?? null))
}

/** Everything is a route of Express, as in an application. The session is the page, as for the other libraries. */
function createExpressApp(
  sessions: RequestHandler,
  routes: Readonly<Record<string, RequestHandler>>,
): express.Express {
  const app = express()
  app.use(sessions)
  app.get("/me", (req, res) => {
    res.json(req.user ?? null)
  })
  for (const [path, handle] of Object.entries(routes)) app.all(path, handle)
  return app
}

const redirectHome: RequestHandler = (_, res) => {
  res.statusCode = 302
  res.setHeader("location", "/")
  res.end()
}

/**
 * Creates an authenticator for passwords.
 *
 * @param findUser passes on the user with an id, or false
 */
export function createPasswordAuthenticator(
  findUser: (id: string, done: (error: unknown, user?: Express.User | false) => void) => void,
): passport.Authenticator {
  const authenticator = new passport.Authenticator()
  authenticator.serializeUser<string>((user, done) => done(null, (user as typeof testUser).id))
  authenticator.deserializeUser<string>(findUser)
  authenticator.use(
    new LocalStrategy({ usernameField: "email" }, (email, enteredPassword, done) =>
      done(null, email === testUser.email && enteredPassword === password && testUser),
    ),
  )
  return authenticator
}

async function createAuthenticator(
  origin: string,
  findUser: FindUser,
): Promise<passport.Authenticator> {
  const authenticator = createPasswordAuthenticator((id, done) => done(null, findUser(id) ?? false))
  const config = await openid.discovery(
    new URL(providerClient.issuer),
    providerClient.id,
    providerClient.secret,
  )
  authenticator.use("id", createOpenIdStrategy(config, origin, findUser))
  return authenticator
}

function createOpenIdStrategy(
  config: openid.Configuration,
  origin: string,
  findUser: FindUser,
): OpenidStrategy {
  class Strategy extends OpenidStrategy {
    override currentUrl(req: Parameters<OpenidStrategy["currentUrl"]>[0]): URL {
      return new URL(req.url, origin)
    }
  }
  const callbackURL = `${origin}/callback/id`
  return new Strategy({ config, callbackURL, scope: "openid profile email" }, (tokens, done) =>
    done(null, findUser(tokens.claims()?.sub ?? "")),
  )
}

/** Runs middleware sequentially. */
function composeMiddleware(handlers: readonly RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    const runFrom = (index: number): void => {
      const handler = handlers[index]
      if (handler) void handler(req, res, (error) => (error ? next(error) : runFrom(index + 1)))
      else next()
    }
    runFrom(0)
  }
}

/** Returns the handler of a path. */
function routeByPath(handlers: Readonly<Record<string, RequestHandler>>): RequestHandler {
  return (req, res, next) => {
    const handler = handlers[req.url.split("?", 1)[0] ?? ""]
    return handler ? handler(req, res, next) : next()
  }
}
