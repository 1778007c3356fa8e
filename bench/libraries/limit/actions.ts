/**
 * The work that no library can avoid, in the fewest lines: cryptography and serialisation. There is no configuration,
 * callback, event or log, and no second provider. Keys, statements and the documents of the provider are ready.
 */
import { hash, type KeyObject, randomUUID, timingSafeEqual, verify } from "node:crypto"
import type { StatementSync } from "node:sqlite"
import type { HttpRequest, HttpResponse } from "../../http.ts"
import { providerClient } from "../../provider.ts"
import { password, secret, testUser } from "../../test-user.ts"
import { sessionCookieName } from "../authjs-compatible.ts"
import { type Seal, takeRandomBytes } from "./seal.ts"

/** The keys, texts and statements that are prepared before the first request. */
export interface LimitState {
  readonly origin: string
  readonly sessionSeal: Seal
  readonly transactionSeal: Seal
  /** Selects the session and the user of a token. Without one, sessions are sealed. */
  readonly selectSession: StatementSync | undefined
  readonly providerKey: KeyObject
  /** The body with which the provider answers each token request. */
  readonly tokenResponse: string
}

type Action = (state: LimitState, request: HttpRequest) => HttpResponse

const lifetime = 2_592_000
const transactionCookieName = "transaction"
const redirectPath = "/callback/id"

/** W1 and W2: the cookie is found and opened, or its row is read; the session is checked for expiry and serialised. */
const readSession: Action = ({ sessionSeal, selectSession }, { cookie = "" }) => {
  const token = findCookie(cookie, sessionCookieName)
  if (token === undefined) return respond(200, "null")
  const user = selectSession ? readRow(selectSession, token) : sessionSeal.open(token)
  const expires = selectSession ? Number(user["$expires"]) : Number(user["exp"]) * 1000
  if (!(expires > Date.now())) return respond(200, "null")
  const { name, email } = user
  const image = selectSession ? user["image"] : user["picture"]
  const session = { user: { name, email, image }, expires: new Date(expires).toISOString() }
  return respond(200, JSON.stringify(session))
}

const readRow = (statement: StatementSync, token: string): Record<string, unknown> =>
  statement.get(token) ?? {}

/**
 * W5: the form's token is verified; state and PKCE are random, the challenge is a SHA-256; both are sealed in a cookie; the
 * URL is serialised.
 */
const startSignIn: Action = ({ origin, transactionSeal }, { cookie = "", form }) => {
  verifyForm(cookie, form)
  const state = takeRandomBytes(32).toString("base64url")
  const verifier = takeRandomBytes(32).toString("base64url")
  const exp = Math.floor(Date.now() / 1000) + 900
  const sealed = transactionSeal.seal({ state, verifier, callbackUrl: origin, exp })
  const parameters = [
    `client_id=${encodeURIComponent(providerClient.id)}`,
    "response_type=code",
    `redirect_uri=${encodeURIComponent(origin + redirectPath)}`,
    `scope=${encodeURIComponent("openid profile email")}`,
    `state=${state}`,
    `code_challenge=${hash("sha256", verifier, "base64url")}`,
    "code_challenge_method=S256",
  ]
  const location = `${providerClient.authorization}?${parameters.join("&")}`
  return respond(302, "", location, [serializeCookie(transactionCookieName, sealed, 900)])
}

/**
 * W6: state and PKCE are opened, and the state compared; the token request is serialised, and its answer parsed; one RS256
 * signature and the claims of the ID token are verified; a session is sealed. Sending the request does not count.
 */
const finishSignIn: Action = (state, { cookie = "", path }) => {
  const query = new URLSearchParams(path.slice(path.indexOf("?")))
  const transaction = state.transactionSeal.open(findCookie(cookie, transactionCookieName) ?? "")
  if (!isEqual(String(transaction["state"]), query.get("state") ?? ""))
    throw new TypeError("The state is of another sign-in")
  const tokenRequest = new URLSearchParams({
    grant_type: "authorization_code",
    code: query.get("code") ?? "",
    redirect_uri: state.origin + redirectPath,
    code_verifier: String(transaction["verifier"]),
  })
  if (tokenRequest.toString() === "") throw new TypeError("Nothing to ask for")
  const claims = readIdToken(JSON.parse(state.tokenResponse).id_token, state.providerKey)
  const session = createSession(state, claims)
  const deleted = serializeCookie(transactionCookieName, "", 0)
  return respond(302, "", state.origin, [session, deleted])
}

function readIdToken(idToken: string, key: KeyObject): Record<string, unknown> {
  const [header = "", payload = "", signature = ""] = idToken.split(".")
  const { alg } = JSON.parse(Buffer.from(header, "base64url").toString())
  const signed = Buffer.from(`${header}.${payload}`)
  if (alg !== "RS256" || !verify("sha256", signed, key, Buffer.from(signature, "base64url")))
    throw new TypeError("Another key signed the ID token")
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString())
  if (claims.iss !== providerClient.issuer || claims.aud !== providerClient.id)
    throw new TypeError("The ID token is for somebody else")
  if (!(claims.exp * 1000 > Date.now())) throw new TypeError("The ID token has expired")
  return claims
}

/** W7: the form's token is verified; the password is compared as text; a session is sealed. */
const signInWithPassword: Action = (state, { cookie = "", form }) => {
  verifyForm(cookie, form)
  if (form?.["email"] !== testUser.email || form["password"] !== password)
    throw new TypeError("Incorrect sign-in details")
  const { id: sub, name, email, image: picture } = testUser
  return respond(302, "", state.origin, [createSession(state, { sub, name, email, picture })])
}

function createSession({ sessionSeal }: LimitState, claims: Record<string, unknown>): string {
  const { sub, name, email, picture } = claims
  const iat = Math.floor(Date.now() / 1000)
  const times = { iat, exp: iat + lifetime, jti: randomUUID() }
  const token = sessionSeal.seal({ name, email, picture, sub, ...times })
  return serializeCookie(sessionCookieName, token, lifetime)
}

function verifyForm(cookie: string, form: HttpRequest["form"]): void {
  const [token = "", tag = ""] = (findCookie(cookie, "csrf") ?? "").split("|")
  if (!isEqual(form?.["csrfToken"] ?? "", token) || !isEqual(hashFormToken(token), tag))
    throw new TypeError("The form is of another page")
}

/** The part of the cookie that only the server can create. */
export const hashFormToken = (token: string): string => hash("sha256", token + secret, "hex")

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

function findCookie(header: string, name: string): string | undefined {
  for (const pair of header.split("; ")) {
    if (pair.startsWith(name) && pair[name.length] === "=") return pair.slice(name.length + 1)
  }
  return undefined
}

const serializeCookie = (name: string, value: string, maxAge: number): string =>
  `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax`

const respond = (
  status: number,
  body: string,
  location?: string,
  setCookies: readonly string[] = [],
): HttpResponse => ({ status, body, location, setCookies })

/** The actions by path. */
export const limitActions: ReadonlyMap<string, Action> = new Map([
  ["/session", readSession],
  ["/signin/id", startSignIn],
  [redirectPath, finishSignIn],
  ["/signin/password", signInWithPassword],
])
