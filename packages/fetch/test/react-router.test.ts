import { FetchAuth } from "@latchkey/fetch"
import { createMiddleware } from "@latchkey/fetch/react-router"
import {
  type ActionFunctionArgs,
  createRequestHandler,
  type LoaderFunctionArgs,
  type ServerBuild,
} from "react-router"
import { beforeEach, expect, test, vi } from "vitest"
import { testBehaviours } from "./support/behaviours.ts"
import { account, getRoutes, maxAge, members, postRoutes } from "./support/routes.ts"

/** Creates the build of an application whose routes have no component, but respond themselves. */
function createBuild(auth: FetchAuth): ServerBuild {
  const { authMiddleware, authContext } = createMiddleware(auth)
  const routes: ServerBuild["routes"] = {
    root: { id: "root", path: "", module: { middleware: [authMiddleware], default: () => null } },
  }
  const addRoute = (path: string, module: object) => {
    // React Router's type of a module has a component, which these routes lack.
    const entry = { id: path, parentId: "root", path: path.slice(1), module }
    routes[path] = entry as ServerBuild["routes"][string]
  }
  const handle = ({ request }: LoaderFunctionArgs) => auth.handler(request)
  addRoute("/auth/*", { loader: handle, action: handle })
  for (const [path, route] of Object.entries(getRoutes))
    addRoute(path, {
      loader: ({ context }: LoaderFunctionArgs) => route(context.get(authContext), new FormData()),
    })
  for (const [path, route] of Object.entries(postRoutes))
    addRoute(path, {
      action: async ({ context, request }: ActionFunctionArgs) =>
        route(context.get(authContext), await request.formData()),
    })
  addRoute("/members", {
    loader: async ({ context }: LoaderFunctionArgs) => {
      await context.get(authContext).requireSession()
      return new Response(members)
    },
  })
  addRoute("/account", {
    loader: async ({ context }: LoaderFunctionArgs) => {
      await context.get(authContext).requireFreshSession({ maxAge })
      return new Response(account)
    },
  })
  return {
    routes,
    entry: { module: { default: () => new Response("a page") } },
    assets: { entry: { imports: [], module: "" }, routes: {}, url: "", version: "" },
    publicPath: "/",
    assetsBuildDirectory: "",
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
  }
}

// React Router logs errors by itself.
beforeEach(() => void vi.spyOn(console, "error").mockReturnValue())

testBehaviours("React Router", (auth) => createRequestHandler(createBuild(auth), "production"), {
  redirectsScripts: true,
})

test("a page that the router opens leads to the sign-in page, and back to the page", async () => {
  const auth = FetchAuth({ providers: [], secret: "0123456789 abcdef ".repeat(3) })
  const handler = createRequestHandler(createBuild(auth), "production")
  const response = await handler(
    new Request("http://localhost/members.data?a=1&_routes=%2Fmembers"),
  )
  const text = await response.text()
  expect(text).toContain("/auth/signin?callbackUrl=%2Fmembers%3Fa%3D1")
  expect(text).not.toContain(".data")
})

test("a link of the router to a page of the library makes the browser load it", async () => {
  const auth = FetchAuth({ providers: [], secret: "0123456789 abcdef ".repeat(3) })
  const handler = createRequestHandler(createBuild(auth), "production")
  const read = async (path: string) =>
    await (await handler(new Request(`http://localhost${path}`))).text()
  expect(await read("/auth/signin.data?callbackUrl=%2Fmembers")).toMatch(
    /"redirect".*"\/auth\/signin\?callbackUrl=%2Fmembers".*"reload"/s,
  )
  expect(await read("/auth/signin")).toContain("<h1")
})
