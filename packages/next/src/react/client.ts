/** The client of the page, whose options `SessionProvider` sets. */
import { type Client, type ClientOptions, withBasePath } from "@latchkey/client"

const defaultBasePath = `${process.env.__NEXT_ROUTER_BASEPATH ?? ""}/api/auth`
const createClient = withBasePath(defaultBasePath)

/** The client with default options, for `createPasskeys` for example. */
export const client: Client = createClient()

let current = client
let currentOptions = "{}"

/** Returns the client with these options, which the functions below use from then on. */
export function configureClient(options: ClientOptions): Client {
  const key = JSON.stringify(options)
  if (key !== currentOptions) current = key === "{}" ? client : createClient(options)
  currentOptions = key
  return current
}

/** Signs in: without a provider on the sign-in page. */
export const signIn = ((...input: Parameters<Client["signIn"]>) =>
  current.signIn(...input)) as Client["signIn"]
/** Signs in with the code of an e-mail. */
export const submitEmailCode: Client["submitEmailCode"] = (...input) =>
  current.submitEmailCode(...input)
/** Signs out. */
export const signOut = ((...input: Parameters<Client["signOut"]>) =>
  current.signOut(...input)) as Client["signOut"]
/** Requests the session: null when nobody is signed in. */
export const getSession: Client["getSession"] = () => current.getSession()
/** Changes the session, and returns the new one. */
export const updateSession: Client["updateSession"] = (data) => current.updateSession(data)
/** Requests a CSRF token for a form. */
export const getCsrfToken: Client["getCsrfToken"] = () => current.getCsrfToken()
/** Requests the providers by their ids. */
export const getProviders: Client["getProviders"] = () => current.getProviders()
