/** The findings of the doctor from the sources and the scripts of an application. */
import { expect, test } from "vitest"
import { createConfigFiles, secret, validEnvironment } from "./support/config-mistake.ts"
import { runDoctor } from "./support/run-latchkey.ts"

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
  ["a comment", "express", createExpressApp('// app.use("/b", MiddlewareAuth(config))'), "/auth"],
  [
    "`paths.base`",
    "sveltekit",
    { "svelte.config.js": 'export default { kit: { paths: { base: "/shop" } } }' },
    "/shop/auth",
  ],
  ["`base`", "qwik", { "vite.config.ts": 'export default { base: "/shop/" }' }, "/shop/auth"],
  ["no other path", "solid-start", {}, "/api/auth"],
])("the doctor reads the mount from %s of %s", async (_, framework, files, path) => {
  const { findings } = await runDoctor({
    files: createFiles(framework, files),
    env: validEnvironment,
  })

  const port = framework === "sveltekit" || framework === "qwik" ? 5173 : 3000
  expect(findings.at(-1)?.what).toBe(
    `idp: register the redirect URI http://localhost:${port}${path}/callback/idp`,
  )
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
  [
    "a hook that is missing",
    "sveltekit",
    { "src/auth.js": "CompiledAuth(c)" },
    "",
    "route-missing",
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
  ["nothing", "express", { ".env.local": secretFile }, {}, ["MissingSecret", "env-file-unread"]],
  ["Vite", "sveltekit", { ".env.local": secretFile }, { dev: "vite dev" }, []],
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
  ["PORT", "express", { ".env": "PORT=4003" }, {}, "4003"],
  ["SvelteKit", "sveltekit", { "vite.config.ts": 'import { x } from "y"' }, {}, "5173"],
])("the doctor reads the port from %s", async (_, framework, files, scripts, port) => {
  const { findings } = await runDoctor({
    files: createFiles(framework, files, "", scripts),
    env: validEnvironment,
  })

  expect(findings.at(-1)?.what).toContain(`http://localhost:${port}/auth/callback/idp`)
})
