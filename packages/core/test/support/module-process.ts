/** A process that answers one request after another, and lists the modules that each of them loads. */
import { registerHooks } from "node:module"

const loaded: string[] = []
registerHooks({
  load(url, context, nextLoad) {
    const path = url.replace(/^.*\/(?:node_modules|core\/src|packages(?=\/pages\/src))\//, "")
    if (!url.startsWith("node:")) loaded.push(path)
    return nextLoad(url, context)
  },
})
const takeLoaded = () => loaded.splice(0)

/** Whether Node has loaded its implementation of `fetch`, which takes longer than all modules of the library. */
const hasLoadedFetch = () => {
  const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] }
  return moduleLoadList.some((name) => name.endsWith("deps/undici/undici"))
}

const { createAuth } = await import("@latchkey/core")
const { default: credentials } = await import("@latchkey/core/providers/credentials")
const { default: github } = await import("@latchkey/core/providers/github")
const origin = "https://app.example"
const auth = createAuth({
  providers: [
    credentials({ credentials: { name: {} }, authorize: () => ({ id: "1", name: "Ada" }) }),
    github({ clientId: "id", clientSecret: "secret" }),
  ],
  secret: "a secret of the application, long enough: 1",
  trustHost: true,
})
const startup = takeLoaded()
const startupFetch = hasLoadedFetch()

async function request(path: string, init?: RequestInit): Promise<Response> {
  return auth.handle(new Request(origin + path, init))
}

const session = await request("/auth/session")
const sessionModules = takeLoaded()
const sessionFetch = hasLoadedFetch()
const post = { headers: new Headers(), url: origin }
const signedIn = await auth.signIn(post, "credentials", { fields: { name: "Ada" } })
const credentialsModules = takeLoaded()
const page = await request("/auth/signin")
const pageModules = takeLoaded()
const started = await auth.signIn(post, "github")
const oauthModules = takeLoaded()
const callback = await request("/auth/callback/github?code=1&state=unknown")
const callbackModules = takeLoaded()

process.send?.({
  fetch: [startupFetch, sessionFetch],
  statuses: [session.status, page.status, callback.status],
  redirects: [signedIn.redirect, new URL(started.redirect).host],
  startup,
  session: sessionModules,
  credentials: credentialsModules,
  page: pageModules,
  oauth: oauthModules,
  callback: callbackModules,
})
