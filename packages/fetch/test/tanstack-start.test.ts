/** TanStack Start calls a request middleware with `next`, and then sends the response of its result. */
import { FetchAuth, type RequestAuth } from "@latchkey/fetch"
import { respond } from "@latchkey/fetch/tanstack-start"
import { expect, test } from "vitest"
import { testBehaviours } from "./support/behaviours.ts"
import { createConfig } from "./support/config.ts"
import { account, getRoutes, maxAge, members, postRoutes } from "./support/routes.ts"

async function runRoute(auth: RequestAuth, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === "/members") {
    await auth.requireSession()
    return new Response(members)
  }
  if (pathname === "/account") {
    await auth.requireFreshSession({ maxAge })
    return new Response(account)
  }
  const isPost = request.method === "POST"
  const route = (isPost ? postRoutes : getRoutes)[pathname]
  if (!route) return new Response(null, { status: 404 })
  return route(auth, isPost ? await request.formData() : new FormData())
}

const createApplication = (auth: FetchAuth) => async (request: Request) => {
  try {
    const result = await respond(auth, request, async (requestAuth) => {
      const response = await runRoute(requestAuth, request)
      return { request, context: { auth: requestAuth }, response }
    })
    return "response" in result ? result.response : result
  } catch {
    return new Response("something went wrong", { status: 500 })
  }
}

testBehaviours("TanStack Start's middleware", createApplication, {
  redirectsScripts: true,
  losesErrors: true,
})

test("redirects of guards are those of TanStack Router", async () => {
  const auth = FetchAuth(createConfig())
  const response = await createApplication(auth)(new Request("https://app.example/members"))
  const href = "/auth/signin?callbackUrl=%2Fmembers"
  expect(response).toMatchObject({ options: { href, statusCode: 303, reloadDocument: true } })
  expect(response.headers.get("location")).toBe(href)
})

test("a server function leads back to the page of the script that calls it", async () => {
  const auth = FetchAuth(createConfig())
  const url = "https://app.example/_serverFn/members"
  const read = async (headers: HeadersInit = {}) => {
    const refused = respond(auth, new Request(url, { headers }), async (requestAuth) => {
      await requestAuth.requireSession()
      throw new Error("unreachable")
    })
    return (await refused) as Response
  }
  const fromPage = await read({ referer: "https://app.example/inbox?a=1" })
  expect(fromPage.headers.get("location")).toBe("/auth/signin?callbackUrl=%2Finbox%3Fa%3D1")
  expect((await read()).headers.get("location")).toBe("/auth/signin?callbackUrl=%2F")
  const fromElsewhere = await read({ referer: "https://evil.example/inbox" })
  expect(fromElsewhere.headers.get("location")).toBe("/auth/signin?callbackUrl=%2F")
})

test("a foreign page that calls a server function signs nobody out, whatever page it names", async () => {
  const auth = FetchAuth(createConfig())
  const signOutFrom = (origin: string) => {
    const headers = { origin, referer: `${origin}/` }
    const request = new Request("https://app.example/_serverFn/leave", { method: "POST", headers })
    return respond(auth, request, async (requestAuth) => {
      throw await requestAuth.signOut({ redirectTo: "/" })
    })
  }
  await expect(signOutFrom("https://evil.example")).rejects.toMatchObject({ type: "MissingCSRF" })
  expect(((await signOutFrom("https://app.example")) as Response).status).toBe(303)
})
