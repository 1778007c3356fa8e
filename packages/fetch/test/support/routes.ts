/** The application that every framework serves in the tests: what its routes do, with the functions for the request. */
import { AuthError, type RequestAuth } from "@latchkey/fetch"

/** The behaviour of a route. The form is that of a POST request. */
export type Route = (auth: RequestAuth, form: FormData) => Promise<Response>

export const getRoutes: Readonly<Record<string, Route>> = {
  "/me": async (auth) => Response.json(await auth.getSession()),
  "/token": async (auth) => Response.json((await auth.getAccessToken("scripted")).accessToken),
  "/stream": async (auth) => {
    await auth.getSession()
    const headers = { "cache-control": "public, max-age=600", "set-cookie": "foreign=kept; Path=/" }
    return new Response(new Blob(["a ", "stream"]).stream(), { headers })
  },
  "/moved": async (auth) => {
    await auth.getSession()
    return Response.redirect("https://elsewhere.example/") // its headers are immutable
  },
  "/cached": async (auth) => {
    await auth.getSession()
    return new Response(null, { status: 304, headers: { etag: '"1"' } })
  },
  "/broken": async (auth) => {
    await auth.getSession()
    throw new Error("the application is broken")
  },
}

export const postRoutes: Readonly<Record<string, Route>> = {
  "/enter": (auth, form) =>
    auth.signIn(form).catch((error: unknown) => {
      if (!(error instanceof AuthError)) throw error
      return Response.json({ error: error.type }, { status: error.status })
    }),
  "/leave": (auth, form) =>
    auth.signOut({ redirectTo: "/bye", federated: form.get("federated") === "true" }),
  "/rename": async (auth, form) =>
    Response.json(await auth.updateSession({ name: form.get("name") })),
}

/** The guarded pages, whose guard each framework has. */
export const members = "the page for members"
export const account = "the account"
/** The longest time since the sign-in, in seconds, with which users may see their account. */
export const maxAge = 600
