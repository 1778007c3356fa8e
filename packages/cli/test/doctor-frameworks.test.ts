/** The findings of the doctor from the sources and the scripts of an application. */
import { describe, expect, test } from "vitest"
import { createConfigFiles, secret, validEnvironment } from "./support/config-mistake.ts"
import { createFolder, runDoctor, runLatchkey } from "./support/run-latchkey.ts"

type Files = Readonly<Record<string, string>>

const createFiles = (framework: string, files: Files, fields = "", scripts = {}): Files => ({
  "package.json": JSON.stringify({
    type: "module",
    scripts,
    dependencies: { [`@latchkey/${framework}`]: "1" },
  }),
  ...createConfigFiles(
    `providers: [{ id: "idp", type: "oidc", issuer: "https://id.example.com", clientId: "x", clientSecret: "y" }], ${fields}`,
  ),
  ...files,
})

const createExpressApp = (lines: string): Files => ({
  "src/app.js": `import { MiddlewareAuth } from "@latchkey/express"\n${lines}\n`,
})
const createNextApp = (route: string): Files => ({
  "src/auth.ts": "export const { handlers, auth } = NextAuth(config)\n",
  "src/proxy.ts": 'export { auth as proxy } from "./auth"\n',
  [route]: 'import { handlers } from "@/auth"\nexport const { GET, POST } = handlers\n',
})
const nextRoute = "src/app/api/auth/[...nextauth]/route.ts"
const routerImport = 'import { api } from "./api.js"\n'

test.each<[string, string, Files, string]>([
  ["app.use", "express", createExpressApp('app.use("/a", MiddlewareAuth(config))'), "/a"],
  [
    "a wildcard",
    "express",
    createExpressApp('app.use("/a{/*splat}", MiddlewareAuth(config))'),
    "/a",
  ],
  [
    "other mounts before it",
    "express",
    createExpressApp(
      'app.use("/static", express.static("public"))\napp.use("/a", express.urlencoded({}), MiddlewareAuth(config))',
    ),
    "/a",
  ],
  [
    "a middleware of another file",
    "express",
    {
      "src/auth.js": "export const authRoutes = MiddlewareAuth(config)\n",
      "src/app.js": 'app.use("/a", authRoutes)\n',
    },
    "/a",
  ],
  [
    "a router",
    "express",
    {
      "src/api.js": 'export const api = Router()\napi.use("/a", MiddlewareAuth(config))\n',
      "src/app.js": `${routerImport}app.use("/api", api)\n`,
    },
    "/api/a",
  ],
  [
    "a chain of calls",
    "express",
    createExpressApp('const app = express().disable("etag").use("/a", MiddlewareAuth(config))'),
    "/a",
  ],
  [
    "other middleware before it",
    "express",
    createExpressApp('app.use("/a", (req, res, next) => { log("("); next() }, MiddlewareAuth(c))'),
    "/a",
  ],
  ["a list", "express", createExpressApp('app.use(["/a"], [limit, MiddlewareAuth(config)])'), "/a"],
  [
    "a constant",
    "express",
    createExpressApp('const path = "/a"\napp.use(path, MiddlewareAuth(config))'),
    "/a",
  ],
  [
    "another name of the middleware",
    "express",
    createExpressApp('import { MiddlewareAuth as auth } from "x"\napp.use("/a", auth(config))'),
    "/a",
  ],
  ["no path", "express", createExpressApp("app.use(MiddlewareAuth(config))"), "/auth"],
  ["a slash", "express", createExpressApp('app.use("/", MiddlewareAuth(config))'), "/auth"],
  [
    "a router without a path",
    "express",
    {
      "src/api.js": 'export const api = express.Router().use("/a", MiddlewareAuth(config))\n',
      "src/app.js": `${routerImport}app.use(api)\n`,
    },
    "/a",
  ],
  [
    "an application in another",
    "express",
    createExpressApp('sub.use("/a", MiddlewareAuth(config))\napp.use("/sub", sub)'),
    "/sub/a",
  ],
  ["a comment", "express", createExpressApp('// app.use("/b", MiddlewareAuth(config))'), "/auth"],
  [
    "`paths.base`",
    "sveltekit",
    { "svelte.config.js": 'export default { kit: { paths: { base: "/shop" } } }' },
    "/shop/auth",
  ],
  ["`base`", "qwik", { "vite.config.ts": 'export default { base: "/shop/" }' }, "/shop/auth"],
  ["no other path", "solid-start", {}, "/api/auth"],
  ["a route", "next", createNextApp("src/app/api/auth/[...nextauth]/route.ts"), "/api/auth"],
  ["an API route", "next", createNextApp("pages/api/auth/[...nextauth].js"), "/api/auth"],
  [
    "a route below `basePath`",
    "next",
    {
      ...createNextApp("app/(site)/api/auth/[[...all]]/route.js"),
      "next.config.mjs": 'export default { basePath: "/shop" }',
    },
    "/shop/api/auth",
  ],
])("the doctor reads the mount from %s of %s", async (_, framework, files, path) => {
  const { findings } = await runDoctor({
    files: createFiles(framework, files),
    env: validEnvironment,
  })

  const port = framework === "sveltekit" || framework === "qwik" ? 5173 : 3000
  const [, redirectUri, assumedPath = path] =
    /redirect URI (\S+?)(?:, if the actions are at (\S+))?$/.exec(findings.at(-1)?.what ?? "") ?? []
  expect(redirectUri).toBe(`http://localhost:${port}${path}/callback/idp`)
  expect(assumedPath).toBe(path)
})

test("the doctor prints no redirect URI for a mount that is wrong", async () => {
  const files = createFiles(
    "express",
    createExpressApp('app.use("/auth/signin", MiddlewareAuth(c))'),
  )

  const { findings } = await runDoctor({ files, env: validEnvironment }, ["--online"])

  expect(findings.map(({ code }) => code)).toEqual(["configuration", "mount-page", "application"])
})

test.each([
  ["a mount that cannot be read", "app.use(paths.auth, MiddlewareAuth(config))", false],
  ["a mount", 'app.use("/auth", MiddlewareAuth(config))', true],
])("the doctor says whether it has seen %s", async (_, line, isSeen) => {
  const files = createFiles("express", createExpressApp(line))

  const { findings } = await runDoctor({ files, env: validEnvironment })

  const texts = findings.map(({ what }) => what)
  const base = "http://localhost:3000/auth"
  expect(texts.includes(`The actions are at ${base}`)).toBe(isSeen)
  expect(texts.some((text) => text.startsWith("The actions are assumed to be at"))).toBe(!isSeen)
  expect(texts.at(-1)?.endsWith(", if the actions are at /auth")).toBe(!isSeen)
})

test.each<[string, string, Files, string, string]>([
  [
    "a `basePath` that is not where the middleware is mounted",
    "express",
    createExpressApp('app.use("/a", MiddlewareAuth(config))'),
    'basePath: "/b"',
    "mount-differs",
  ],
  [
    "a route in another folder than `prefix`",
    "solid-start",
    { "src/routes/auth/[...all].ts": "export const { GET, POST } = ReactiveAuth(config)" },
    "",
    "mount-differs",
  ],
  ["a route that is missing", "solid-start", { "src/routes/index.tsx": "" }, "", "route-missing"],
  ["a route that is missing", "next", createNextApp("src/app/route.ts"), "", "route-missing"],
  [
    "a route in another folder than `basePath`",
    "next",
    createNextApp(nextRoute),
    'basePath: "/auth"',
    "mount-differs",
  ],
  [
    "that nothing renews the session",
    "next",
    { ...createNextApp(nextRoute), "src/proxy.ts": "export const proxy = () => {}\n" },
    "",
    "renewal-missing",
  ],
  [
    "a hook that is missing",
    "sveltekit",
    { "src/auth.js": "CompiledAuth(c)" },
    "",
    "route-missing",
  ],
  [
    "a mount at the path of a page",
    "express",
    createExpressApp('app.use("/auth/signin", MiddlewareAuth(config))'),
    "",
    "mount-page",
  ],
  [
    "a link to the usual path",
    "express",
    createExpressApp(
      'app.use("/a", MiddlewareAuth(config))\nres.redirect(`/auth/signin?callbackUrl=/`)',
    ),
    "",
    "link-differs",
  ],
  [
    "routes that need `basePath`",
    "express",
    createExpressApp('app.use("/a", MiddlewareAuth(c))\napp.post("/in", (req) => signIn(req, c))'),
    "",
    "base-path-missing",
  ],
])("the doctor finds %s", async (_, framework, files, fields, code) => {
  const { findings } = await runDoctor({
    files: createFiles(framework, files, fields),
    env: validEnvironment,
  })

  expect(
    findings.filter(({ level }) => /error|warning/.test(level)).map((each) => each.code),
  ).toEqual([code])
})

test.each<[string, Files]>([
  ["a provider", { "src/app/layout.tsx": "<SessionProvider>{children}</SessionProvider>" }],
  ["a wrapped proxy", { "src/middleware.ts": "export default auth(() => {})" }],
  ["a page", { "src/pages/index.tsx": "await getServerSession(req, res, options)" }],
])("the doctor sees that %s renews the session", async (_, files) => {
  const { "src/proxy.ts": __, ...app } = createNextApp(nextRoute)
  const { findings } = await runDoctor({
    files: createFiles("next", { ...app, ...files }),
    env: validEnvironment,
  })
  expect(findings.filter(({ level }) => /error|warning/.test(level))).toEqual([])
})

const secretFile = `AUTH_SECRET=${secret}\n`

test.each<[string, string, Files, Readonly<Record<string, string>>, string[]]>([
  [
    "a script with --env-file",
    "express",
    { ".env": secretFile },
    { dev: "node --env-file=.env app.js" },
    [],
  ],
  [
    "a script with another file",
    "express",
    { "my.env": secretFile },
    { dev: "node --env-file-if-exists my.env app.js" },
    [],
  ],
  [
    "dotenv",
    "express",
    { ".env": secretFile, "app.js": 'import "dotenv/config"' },
    { dev: "node app.js" },
    [],
  ],
  [
    "`loadEnvFile`",
    "express",
    { ".env": secretFile, "app.js": "process.loadEnvFile()" },
    { dev: "node app.js" },
    [],
  ],
  [
    "nothing",
    "express",
    { ".env": secretFile },
    { dev: "node app.js" },
    ["MissingSecret", "env-file-unread"],
  ],
  [
    "whoever starts it",
    "express",
    { ".env": secretFile },
    { test: 'echo "Error: no test specified" && exit 1' },
    [],
  ],
  [
    "a script for production",
    "express",
    { ".env": secretFile },
    { dev: "node app.js", start: "NODE_ENV=production node --env-file=.env app.js" },
    ["MissingSecret", "env-file-unread"],
  ],
  [
    "a script with a missing file",
    "express",
    { ".env": secretFile },
    { dev: "node --env-file=.env --env-file=.env.development app.js" },
    ["env-file-missing"],
  ],
  ["nothing", "express", { ".env.local": secretFile }, {}, ["MissingSecret", "env-file-unread"]],
  ["Vite", "sveltekit", { ".env.local": secretFile }, { dev: "vite dev" }, []],
  [
    "Next.js",
    "next",
    {
      ...createNextApp(nextRoute),
      ".env.development": `NEXTAUTH_SECRET=${secret}\nNEXTAUTH_URL=http://localhost:3000\n`,
    },
    { dev: "next dev" },
    [],
  ],
  [
    "Vite in another mode",
    "sveltekit",
    { ".env.staging": secretFile },
    { dev: "vite dev --mode staging" },
    [],
  ],
  [
    "Vite in mode ssr",
    "qwik",
    { ".env.development": secretFile, ".env": "A=1" },
    { dev: "vite --mode ssr" },
    ["MissingSecret", "env-file-unread"],
  ],
])(
  "the doctor reads the variables that %s loads for %s",
  async (_, framework, files, scripts, codes) => {
    const handlers = { "src/hooks.server.js": "MiddlewareAuth() CompiledAuth() ResumableAuth$()" }

    const { findings } = await runDoctor({
      files: createFiles(framework, { ...handlers, ...files }, "", scripts),
    })

    expect(
      findings.filter(({ level }) => /error|warning/.test(level)).map(({ code }) => code),
    ).toEqual(codes)
  },
)

test.each<[string, string, Files, object, string]>([
  ["a script", "sveltekit", {}, { dev: "vite dev --port 4001" }, "4001"],
  [
    "vite.config.ts",
    "qwik",
    { "vite.config.ts": "export default { server: { port: 4002 } }" },
    {},
    "4002",
  ],
  ["PORT", "express", { ".env": "PORT=4003", ...createExpressApp("listen(4004)") }, {}, "4003"],
  ["a number", "express", createExpressApp("app.listen(4005, log)"), {}, "4005"],
  ["next dev", "next", createNextApp(nextRoute), { dev: "next dev --turbo -p 4007" }, "4007"],
  [
    "a default",
    "express",
    createExpressApp('const port = process.env["PORT"] ?? 4006\napp.listen(port)'),
    {},
    "4006",
  ],
  ["SvelteKit", "sveltekit", { "vite.config.ts": 'import { x } from "y"' }, {}, "5173"],
])("the doctor reads the port from %s", async (_, framework, files, scripts, port) => {
  const { findings } = await runDoctor({
    files: createFiles(framework, files, "", scripts),
    env: validEnvironment,
  })

  const basePath = framework === "next" ? "/api/auth" : "/auth"
  expect(findings.at(-1)?.what).toContain(`http://localhost:${port}${basePath}/callback/idp`)
})

const developmentConfig = (isDevelopment: string): string => `
const development = ${isDevelopment} ? await import("@latchkey/testing/development") : undefined
export const config = { providers: development ? [development.developmentProvider()] : [] }
`

test.each<[string, Files]>([
  [
    "sveltekit",
    {
      "src/auth.config.ts": developmentConfig("import.meta.env?.DEV"),
      "src/hooks.server.ts": "export const { handle } = CompiledAuth(config)",
    },
  ],
  [
    "express",
    {
      "auth.ts": developmentConfig('process.env["NODE_ENV"] === "development"'),
      ".env.development": "NODE_ENV=development\n",
      "server.ts": 'app.use("/auth", MiddlewareAuth(config))',
    },
  ],
])("the doctor sees the development provider of %s", async (framework, { ...files }) => {
  const scripts =
    framework === "express" ? { dev: "node --env-file=.env.development server.ts" } : {}
  const { "auth.mjs": _, ...created } = createFiles(framework, files, "", scripts)

  const { findings } = await runDoctor({ files: created, env: validEnvironment })

  expect(findings.map(({ level, what }) => `${level} ${what}`)).toEqual([
    "good The configuration is valid",
    expect.stringContaining("good The actions are at"),
    expect.stringContaining("skipped The application was not contacted"),
    "good development: there is nothing to register",
  ])
})

test("a server that the module starts after it was loaded is not started", async () => {
  const module = [
    'import { createServer } from "node:http"',
    "export default async () => {",
    "  const { listening } = createServer().listen(0)",
    '  return { providers: [], secret: listening ? "weak" : process.env["AUTH_SECRET"] }',
    "}",
  ].join("\n")
  const { findings } = await runDoctor({ files: { "auth.mjs": module }, env: validEnvironment })
  expect(findings.filter(({ level }) => level === "error")).toEqual([])
})

describe("a configuration in the file that starts the server", () => {
  const server = [
    'import { createServer } from "node:http"',
    'import { defineConfig } from "@latchkey/core"',
    "export const config = defineConfig({ providers: [] })",
    "const server = createServer()",
    'await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))',
  ].join("\n")
  const { "auth.mjs": _, ...files } = createFiles("express", { "src/server.ts": server })

  test.each([[[]], [["src/server.ts"]]])("doctor %s says where to move it", async (args) => {
    const { findings } = await runDoctor({ files, env: validEnvironment }, args)

    expect(findings).toEqual([
      {
        level: "error",
        code: "config-in-entry",
        what: "src/server.ts starts the server, so the doctor cannot load a configuration from it.",
        fix: expect.stringMatching(
          /Move .* to src\/auth\.ts: .*in src\/server\.ts: .*"\.\/auth\.ts"/,
        ),
      },
    ])
  })

  test("doctor src/server.ts names the file that has the configuration already", async () => {
    const both = { ...files, "src/auth.ts": "export const config = { providers: [] }" }

    const { findings } = await runDoctor({ files: both }, ["src/server.ts"])

    expect(findings[0]?.fix).toBe("Run it for src/auth.ts: npx @latchkey/cli doctor src/auth.ts")
  })

  test("is named in the summary", async () => {
    const { out } = await runLatchkey(["doctor"], createFolder(files), validEnvironment)

    expect(out).toContain("\nsrc/server.ts: 1 error, no warnings\n")
  })
})
