/** Libraries that are built on Auth.js: what can be converted is, and the rest is listed. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import ts from "typescript"
import { describe, expect, onTestFinished, test } from "vitest"
import { readReplaceableProviders } from "../src/move/modules.ts"
import { moveProject } from "../src/move/move-project.ts"

const tools = {
  ts,
  replaceableProviders: readReplaceableProviders(),
  qwikModule: "@builder.io/qwik",
} as const
const versions = { latchkey: "^0.1.0", authCore: "^0.41.3" }

/** Returns the texts after the move by their paths, and what to change by hand. */
function move(texts: Readonly<Record<string, string>>) {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }))
  const moves = moveProject(files, tools, versions)
  const after: Record<string, string> = { ...texts }
  for (const { path, ...file } of moves) if (file.text !== file.after) after[path] = file.after
  const advice = moves.flatMap(({ path, ...file }) =>
    file.advice.map(({ text }) => `${path}: ${text}`),
  )
  return { after, advice, created: moves.flatMap(({ path, isNew }) => (isNew ? [path] : [])) }
}

const listing = (...names: readonly string[]) =>
  JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, "^1.0.0"])) })

/** Moves twice: the second time nothing may change. */
function moveToTheEnd(texts: Readonly<Record<string, string>>) {
  const moved = move(texts)
  expect(move(moved.after).after).toEqual(moved.after)
  return moved
}

describe("@hono/auth-js", () => {
  const manifest = listing("@hono/auth-js", "@auth/core", "hono")
  const moveSource = (text: string, path = "src/index.ts") => {
    const { after, advice } = moveToTheEnd({ "package.json": manifest, [path]: text })
    return { text: after[path], advice, manifest: JSON.parse(after["package.json"] ?? "") }
  }

  test("the middleware, the guard, the configuration and the user", () => {
    const moved = moveSource(`import { type Context, Hono } from "hono"
import { type AuthConfig, authHandler, initAuthConfig, verifyAuth } from "@hono/auth-js"
import GitHub from "@auth/core/providers/github"

const app = new Hono<{ Bindings: Bindings }>()

app.use("*", initAuthConfig(createConfig))

app.use("/api/auth/*", authHandler())

app.use("/api/*", verifyAuth())

app.get("/api/me", (c) => {
  const auth = c.get("authUser")
  return c.json(auth.session.user)
})
app.get("/api/name", async (c) => c.text(c.var.authUser.session.user.name))

function createConfig(c: Context<Env>): AuthConfig {
  return {
    secret: c.env.AUTH_SECRET,
    providers: [GitHub({ clientId: c.env.GITHUB_ID, clientSecret: c.env.GITHUB_SECRET })],
  }
}
`)
    expect(moved.text).toBe(`import { FetchAuth } from "@latchkey/fetch"
import type { AuthEnv } from "@latchkey/fetch/hono"
import type { AuthConfig } from "@latchkey/fetch"
import { type Context, Hono } from "hono"
import { authMiddleware, requireSession } from "@latchkey/fetch/hono"
import GitHub from "@latchkey/core/providers/github"

const app = new Hono<{ Bindings: Bindings } & AuthEnv>()

app.use("*", authMiddleware(FetchAuth(createConfig)))

app.use("/api/*", requireSession())

app.get("/api/me", async (c) => {
  const auth = { session: await c.var.auth.requireSession() }
  return c.json(auth.session.user)
})
app.get("/api/name", async (c) => c.text((await c.var.auth.requireSession()).user.name))

function createConfig(env: (Env)["Bindings"]): AuthConfig {
  return {
    basePath: "/api/auth",
    secret: env.AUTH_SECRET,
    providers: [GitHub({ clientId: env.GITHUB_ID, clientSecret: env.GITHUB_SECRET })],
  }
}
`)
    expect(moved.advice).toEqual([])
    expect(moved.manifest).toEqual({
      dependencies: { "@latchkey/fetch": "^0.1.0", "@latchkey/core": "^0.1.0", hono: "^1.0.0" },
    })
  })

  test("the path of the actions is where they were mounted, also in a chain", () => {
    const { text } = moveSource(`import { authHandler, initAuthConfig } from "@hono/auth-js"
const app = new Hono().use(initAuthConfig(() => ({ providers: [] }))).use("/login/*", authHandler()).get("/", page)
`)
    expect(text).toContain(
      `authMiddleware(FetchAuth(() => ({ basePath: "/login", providers: [] })))`,
    )
    expect(text).toMatch(/\)\)\)\.get\("\/", page\)\n$/)
  })

  test("the hooks request the same path", () => {
    const text = `import { SessionProvider, useSession } from "@hono/auth-js/react"
export const App = () => <SessionProvider><Page /></SessionProvider>
`
    expect(moveSource(text, "src/app.tsx").text).toBe(
      text
        .replace("@hono/auth-js", "@latchkey/fetch")
        .replace("<SessionProvider>", `<SessionProvider basePath="/api/auth">`),
    )
  })

  test.each([
    [
      "a configuration that reads the request",
      `initAuthConfig((c) => ({ basePath: c.req.path, providers: [] }))`,
      "instead of the context",
    ],
    ["a configuration of another module", `initAuthConfig(createConfig)`, "instead of the context"],
    ["the user with its token", `app.get("/", (c) => c.json(c.get("authUser")))`, "`token`"],
    ["the user outside of a handler", `const read = (c) => c.get("authUser")`, "requireSession()"],
    ["another function", `getAuthUser(c)`, "Instead of getAuthUser"],
    [
      "a mounted path whose configuration is elsewhere",
      `import { authHandler } from "@hono/auth-js"\napp.use("/login/*", authHandler())`,
      'basePath: "/login"',
    ],
  ])("%s needs a person", (_, line, expected) => {
    const { advice } = moveSource(
      `import { getAuthUser, initAuthConfig } from "@hono/auth-js"\n${line}\n`,
    )
    expect(advice.join("\n")).toContain(expected)
  })

  test("a moved application signs in", async () => {
    const source = `import { Hono } from "hono"
import { authHandler, initAuthConfig, verifyAuth } from "@hono/auth-js"
import Credentials from "@auth/core/providers/credentials"

const app = new Hono()
app.use("*", initAuthConfig((c) => ({
  secret: c.env.AUTH_SECRET,
  providers: [Credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: "1", name }) })],
})))
app.use("/api/auth/*", authHandler())
app.use("/members", verifyAuth())
app.get("/members", (c) => {
  const { session } = c.get("authUser")
  return c.text(session.user.name)
})

export default app
`
    const { text = "" } = moveSource(source, "src/index.js")
    const file = resolve("node_modules/.cache/moved-hono/index.js")
    mkdirSync(dirname(file), { recursive: true })
    onTestFinished(() => rmSync(dirname(file), { recursive: true }))
    writeFileSync(file, text)
    const { default: app } = await import(pathToFileURL(file).href)
    const env = { AUTH_SECRET: "a secret of the test 0123456789 abcdef", AUTH_URL: "" }
    const request = async (path: string, init: RequestInit = {}): Promise<Response> =>
      app.request(`http://localhost${path}`, init, env)

    const refused = await request("/members", { headers: { accept: "application/json" } })
    expect(refused.status).toBe(401)
    const signIn = await request("/api/auth/callback/credentials", {
      method: "POST",
      headers: { origin: "http://localhost", "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ name: "Ada", callbackUrl: "/members" }),
    })
    const cookie = signIn.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ")
    expect(cookie).toContain("authjs.session-token=")
    expect(await (await request("/members", { headers: { cookie } })).text()).toBe("Ada")
  })
})

describe("auth-astro", () => {
  const files = {
    "package.json": listing("auth-astro", "@auth/core", "astro"),
    "astro.config.mjs": `import { defineConfig } from "astro/config"
import auth from "auth-astro"
import node from "@astrojs/node"

export default defineConfig({
  integrations: [auth(), other()],
  adapter: node({ mode: "standalone" }),
})
`,
    "auth.config.ts": `import GitHub from "@auth/core/providers/github"
import { defineConfig } from "auth-astro"

export default defineConfig({
  providers: [GitHub],
})
`,
    "src/pages/index.astro": `---
import { getSession } from "auth-astro/server"

const session = await getSession(Astro.request)
if (!session) return Astro.redirect("/")
---
<p>{session.user?.name}</p>
<script>
  const { signOut } = await import("auth-astro/client")
  document.querySelector("#logout").onclick = () => signOut()
</script>
`,
  }

  test("the integration becomes a middleware, a route and a client", () => {
    const { after, advice, created } = moveToTheEnd(files)
    expect(after).toMatchObject({
      "astro.config.mjs": files["astro.config.mjs"]
        .replace(`import auth from "auth-astro"\n`, "")
        .replace("auth(), ", ""),
      "auth.config.ts": `import GitHub from "@latchkey/core/providers/github"
import { FetchAuth } from "@latchkey/fetch"

export default FetchAuth({
  secret: import.meta.env.AUTH_SECRET,
  basePath: "/api/auth",
  providers: [GitHub],
})
`,
      "src/middleware.ts": expect.stringContaining(`import auth from "../auth.config"`),
      "src/pages/api/auth/[...auth].ts": expect.stringContaining(`from "../../../../auth.config"`),
      "src/auth-client.ts": expect.stringContaining(`createClient({ basePath: "/api/auth" })`),
    })
    expect(after["src/pages/index.astro"]).toContain("await getAuth(Astro).getSession()\n")
    expect(after["src/pages/index.astro"]).toContain(
      `import { getAuth } from "@latchkey/fetch/astro"`,
    )
    expect(after["src/pages/index.astro"]).toContain(`import("../auth-client")`)
    expect(created).toHaveLength(3)
    expect(advice).toEqual([])
  })

  test("a prefix is the path of the actions", () => {
    const config = files["auth.config.ts"].replace("  providers", `  prefix: "/auth",\n  providers`)
    const { after, created } = move({ ...files, "auth.config.ts": config })
    expect(after["auth.config.ts"]).toContain(`  basePath: "/auth",\n`)
    expect(created).toContain("src/pages/auth/[...auth].ts")
    expect(after["src/auth-client.ts"]).toContain(`basePath: "/auth"`)
  })

  test.each([
    ["another middleware", { "src/middleware.ts": "export const onRequest = a\n" }, "sequence("],
    [
      "a component",
      { "src/a.astro": `---\nimport { SignIn } from "auth-astro/components"\n---\n` },
      "forms",
    ],
    [
      "a request without its context",
      { "src/a.ts": `import { getSession } from "auth-astro/server"\nawait getSession(request)\n` },
      "getAuth(context)",
    ],
    ["the virtual module", { "src/a.ts": `import config from "auth:config"\n` }, "from its file"],
  ])("%s needs a person", (_, file, expected) => {
    expect(move({ ...files, ...file }).advice.join("\n")).toContain(expected)
  })
})

describe("@sidebase/nuxt-auth", () => {
  const files = {
    "package.json": listing("@sidebase/nuxt-auth", "next-auth", "nuxt"),
    "nuxt.config.ts": `export default defineNuxtConfig({
  modules: ["@sidebase/nuxt-auth", "@nuxt/image"],
  auth: {
    provider: { type: "authjs" },
  },
  routeRules: { "/": { auth: {} } },
})
`,
    "server/api/auth/[...].ts": `import GithubProvider from "next-auth/providers/github"
import { NuxtAuthHandler } from "#auth"

export default NuxtAuthHandler({
  // The secret.
  secret: useRuntimeConfig().authSecret,
  providers: [
    // @ts-expect-error Use .default here for it to work during SSR.
    GithubProvider.default({ clientId: "a", clientSecret: "b" }),
  ],
})
`,
    "server/api/me.ts": `import { getServerSession } from "#auth"

export default eventHandler(async (event) => (await getServerSession(event))?.user)
`,
  }

  test("the module becomes a handler", () => {
    const { after, advice, created } = moveToTheEnd(files)
    expect(after["nuxt.config.ts"]).toBe(`export default defineNuxtConfig({
  modules: ["@nuxt/image"],
  routeRules: { "/": { auth: {} } },
})
`)
    expect(after["server/api/auth/[...].ts"]).toBe(`import { FetchAuth } from "@latchkey/fetch"
import { authHandler } from "@latchkey/fetch/h3"
import GithubProvider from "@latchkey/fetch/providers/github"

export const auth = FetchAuth({
  basePath: "/api/auth",
  // The secret.
  secret: useRuntimeConfig().authSecret,
  providers: [
    GithubProvider({ clientId: "a", clientSecret: "b" }),
  ],
})

export default defineEventHandler(authHandler(auth))
`)
    expect(after["server/api/me.ts"]).toBe(`import { getAuth } from "@latchkey/fetch/h3"

export default eventHandler(async (event) => (await getAuth(event).getSession())?.user)
`)
    expect(created).toEqual(["server/middleware/0.auth.ts"])
    expect(after["server/middleware/0.auth.ts"]).toContain(`from "../api/auth/[...]"`)
    expect(JSON.parse(after["package.json"] ?? "")).toEqual({
      dependencies: { "@latchkey/fetch": "^0.1.0", nuxt: "^1.0.0" },
    })
    expect(advice).toEqual([expect.stringContaining("sign in once more")])
  })

  test("a guard of all pages that goes is listed", () => {
    const config = files["nuxt.config.ts"].replace(
      "provider:",
      "globalAppMiddleware: { isEnabled: true },\n    provider:",
    )
    const { after, advice } = move({ ...files, "nuxt.config.ts": config })
    expect(after["nuxt.config.ts"]).not.toContain("globalAppMiddleware")
    expect(advice.join("\n")).toContain("nuxt.config.ts: `globalAppMiddleware` guarded all pages")
  })

  test("what pages call is listed", () => {
    const page = `<script setup>
const { data } = useAuth()
definePageMeta({ auth: false })
</script>
`
    const token = `import { getToken } from "#auth"\nexport default eventHandler((event) => getToken({ event }))\n`
    const { after, advice } = move({ ...files, "pages/a.vue": page, "server/api/token.ts": token })
    expect(after["pages/a.vue"]).toBe(page)
    expect(advice.join("\n")).toMatch(/useAuth[\s\S]*no guard[\s\S]*getToken/)
  })

  test("an application that signs in at an API of its own stays as it is", () => {
    const { after, advice } = move({
      "package.json": files["package.json"],
      "app.vue": `<script setup>useAuth()</script>`,
    })
    expect(after["package.json"]).toBe(files["package.json"])
    expect(advice).toEqual([expect.stringContaining("stays as it is")])
  })
})
