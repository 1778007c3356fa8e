import ts from "typescript"
import { describe, expect, test } from "vitest"
import { findModuleMove, readReplaceableProviders } from "../src/move/modules.ts"
import { moveSource } from "../src/move/move-source.ts"
import { applyEdits } from "../src/move/text-edits.ts"

const tools = {
  ts,
  replaceableProviders: readReplaceableProviders(),
  qwikModule: "@builder.io/qwik",
  keepsAdapter: false,
  library: "authjs",
} as const

/** Returns the moved text, and what a person has to do. */
function move(text: string, path = "src/auth.ts", keepsAdapter = false) {
  const { edits, advice } = moveSource({ path, text }, { ...tools, keepsAdapter })
  return { text: applyEdits(text, edits), advice: advice.map((item) => item.text) }
}

describe("NextAuth.js 4", () => {
  const moveFrom4 = (text: string) => {
    const { edits, advice } = moveSource(
      { path: "src/auth.ts", text },
      { ...tools, library: "next-auth-4" },
    )
    return { text: applyEdits(text, edits), advice: advice.map((item) => item.text) }
  }

  test.each([
    ["next-auth", "@latchkey/next/v4"],
    ["next-auth/next", "@latchkey/next/v4"],
    ["next-auth/middleware", "@latchkey/next/v4/middleware"],
    ["next-auth/jwt", "@latchkey/next/v4/jwt"],
    ["next-auth/react", "@latchkey/next/react"],
    ["next-auth/adapters", "@latchkey/next/adapters"],
    ["next-auth/providers/github", "@latchkey/next/providers/github"],
    ["next-auth/providers/zoho", "@auth/core/providers/zoho"],
    ["@next-auth/prisma-adapter", "@auth/prisma-adapter"],
  ])("%s becomes %s", (from, to) => {
    const moved = moveFrom4(`import a from "${from}"\n`)
    expect(moved).toEqual({ text: `import a from "${to}"\n`, advice: [] })
  })

  test.each([
    ["email", "nodemailer"],
    ["azure-ad", "microsoft-entra-id"],
  ])("the provider %s is %s, and keeps its id", (from, to) => {
    const { text, advice } = moveFrom4(
      `import P from "next-auth/providers/${from}"\nexport const p = P({ a: 1 })\n`,
    )
    expect(text).toBe(
      `import P from "@latchkey/next/providers/${to}"\nexport const p = P({ id: "${from}", a: 1 })\n`,
    )
    expect(advice).toEqual([])
  })

  test("a provider with other options needs a person", () => {
    const { advice } = moveFrom4(`import P from "next-auth/providers/email"\nP(options)\n`)
    expect(advice).toEqual([expect.stringContaining('Add `id: "email"`')])
  })

  test("a text that names the package is that of ours", () => {
    const text = `const v = pkg.dependencies["next-auth"]\nconst names = ["next-auth"]\nvi.mock("next-auth")\n`
    expect(moveFrom4(text).text).toBe(
      `const v = pkg.dependencies["@latchkey/next"]\nconst names = ["@latchkey/next"]\nvi.mock("@latchkey/next/v4")\n`,
    )
  })

  test("its logger receives a code first, as ours", () => {
    const text = `import N from "next-auth"\nN({ providers: [], logger: { error(code) {} } })\n`
    expect(moveFrom4(text).text).toBe(text.replace("next-auth", "@latchkey/next/v4"))
  })

  test("an internal module needs a person", () => {
    const text = `import a from "next-auth/client"\n`
    expect(moveFrom4(text)).toEqual({ text, advice: [expect.any(String)] })
  })
})

describe("modules", () => {
  test.each([
    ["@auth/core", "@latchkey/core"],
    ["@auth/core/types", "@latchkey/core/types"],
    ["@auth/core/providers/github", "@latchkey/core/providers/github"],
    ["@auth/core/providers/oauth", "@latchkey/core/providers"],
    ["@auth/express/providers/github", "@latchkey/express/providers/github"],
    ["@auth/express/providers/united-effects", "@auth/core/providers/united-effects"],
    ["@auth/express/providers/bitbucket", "@auth/core/providers/bitbucket"],
    ["@auth/solid-start/client", "@latchkey/solid-start/client"],
    ["@auth/sveltekit/components", "@latchkey/sveltekit/components"],
    ["@auth/sveltekit/package.json", "@latchkey/sveltekit/package.json"],
    ["next-auth", "@latchkey/next"],
    ["next-auth/react", "@latchkey/next/react"],
    ["next-auth/adapters", "@latchkey/core/adapters"],
    ["next-auth/providers/github", "@latchkey/core/providers/github"],
    ["next-auth/providers/salesforce", "@auth/core/providers/salesforce"],
    ["@auth/qwik/adapters", "@latchkey/qwik/adapters"],
  ])("%s becomes %s", (from, to) => {
    expect(findModuleMove(from, tools.replaceableProviders)).toMatchObject({ kind: "moved", to })
  })

  test.each([
    "@auth/core/providers/united-effects",
    "@auth/core/providers/salesforce",
    "@auth/pg-adapter",
    "@latchkey/core",
    "@author/core",
    "next-authentication",
  ])("%s stays", (specifier) => {
    expect(findModuleMove(specifier, tools.replaceableProviders)).toBeUndefined()
  })

  test.each([
    ["@auth/core/lib/utils/cookie.js", /internal to Auth\.js/],
    ["next-auth/middleware", /internal to Auth\.js/],
    ["@auth/fastify", /no package for @auth\/fastify/],
  ])("%s needs a person", (specifier, advice) => {
    const text = `import { a } from "${specifier}"\n`
    expect(move(text)).toEqual({ text, advice: [expect.stringMatching(advice)] })
  })

  test("every text that names a module changes, in its own quotes", () => {
    const before = [
      `/// <reference types="@auth/sveltekit" />`,
      `import type { Session } from '@auth/core/types'`,
      `export * from "@auth/core/errors";`,
      "declare module '@auth/core/jwt' { interface JWT { role?: string } }",
      `type Config = import("@auth/core").AuthConfig`,
      `const { decode } = await import("@auth/core/jwt")`,
      `vi.mock("@auth/express", () => ({}))`,
      `const text = "Read about @auth/core"`,
      "",
    ].join("\n")
    expect(move(before).text).toBe(
      before
        .replaceAll(/(["'])@auth\/(core|express|sveltekit)/g, "$1@latchkey/$2")
        .replace("Read about @latchkey", "Read about @auth"),
    )
  })

  test("JavaScript with types in comments", () => {
    const before = `/** @type {import("@auth/express").ExpressAuthConfig} */\nexport const config = {}\n`
    expect(move(before, "auth.js").text).toBe(
      `/** @type {import("@latchkey/express").MiddlewareAuthConfig} */\nexport const config = {}\n`,
    )
  })

  test("only the scripts of a component change", () => {
    const before = `<script lang="ts" generics="A extends '>'">
  import { SignIn } from "@auth/sveltekit/components"
  import { SvelteKitAuth } from "@auth/sveltekit"
</script>
<p>Import "@auth/sveltekit"</p>
<script module>export { signIn } from '@auth/sveltekit/client'</script>
`
    expect(move(before, "src/Header.svelte").text).toBe(`<script lang="ts" generics="A extends '>'">
  import { SignIn } from "@latchkey/sveltekit/components"
  import { CompiledAuth as SvelteKitAuth } from "@latchkey/sveltekit"
</script>
<p>Import "@auth/sveltekit"</p>
<script module>export { signIn } from '@latchkey/sveltekit/client'</script>
`)
  })

  test("a file with a syntax error stays as it is, and is listed", () => {
    const text = `import { Auth } from "@auth/core"\nconst = 1\n`
    expect(move(text)).toEqual({ text, advice: [expect.stringContaining("cannot be parsed")] })
  })
})

describe("names", () => {
  test.each([
    [
      "a name and its uses",
      `import { ExpressAuth, type ExpressAuthConfig } from "@auth/express"\nconst c: ExpressAuthConfig = {}\napp.use(ExpressAuth(c), { ExpressAuth: 1 }.ExpressAuth)`,
      `import { MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"\nconst c: MiddlewareAuthConfig = {}\napp.use(MiddlewareAuth(c), { ExpressAuth: 1 }.ExpressAuth)`,
    ],
    [
      "an alias",
      `import { SolidAuth as Auth } from "@auth/solid-start"\nAuth({})`,
      `import { ReactiveAuth as Auth } from "@latchkey/solid-start"\nAuth({})`,
    ],
    [
      "a name that the file declares twice",
      `import { ExpressAuth } from "@auth/express"\nfunction f(ExpressAuth) { return ExpressAuth }`,
      `import { MiddlewareAuth as ExpressAuth } from "@latchkey/express"\nfunction f(ExpressAuth) { return ExpressAuth }`,
    ],
    [
      "a shorthand property",
      `import { ExpressAuth } from "@auth/express"\nexport const all = { ExpressAuth }`,
      `import { MiddlewareAuth as ExpressAuth } from "@latchkey/express"\nexport const all = { ExpressAuth }`,
    ],
    [
      "a re-export",
      `export { SvelteKitAuth, type SvelteKitAuthConfig as C } from "@auth/sveltekit"`,
      `export { CompiledAuth as SvelteKitAuth, type CompiledAuthConfig as C } from "@latchkey/sveltekit"`,
    ],
    [
      "a namespace",
      `import * as authjs from "@auth/express"\nauthjs.ExpressAuth({} as authjs.ExpressAuthConfig)`,
      `import * as authjs from "@latchkey/express"\nauthjs.MiddlewareAuth({} as authjs.MiddlewareAuthConfig)`,
    ],
    [
      "a mock",
      `vi.mock("@auth/express", () => ({ ExpressAuth: () => f }))\nconst a = { ExpressAuth: 1 }`,
      `vi.mock("@latchkey/express", () => ({ MiddlewareAuth: () => f }))\nconst a = { ExpressAuth: 1 }`,
    ],
    [
      "a dynamic import",
      `const { ExpressAuth, getSession: read } = await import("@auth/express")`,
      `const { MiddlewareAuth: ExpressAuth, getSession: read } = await import("@latchkey/express")`,
    ],
    [
      "a namespace in its other forms",
      `import * as authjs from "@auth/express"\nconst { ExpressAuth: a } = authjs\nauthjs["ExpressAuth"]()`,
      `import * as authjs from "@latchkey/express"\nconst { MiddlewareAuth: a } = authjs\nauthjs["MiddlewareAuth"]()`,
    ],
    [
      "a mock with a shorthand property",
      `jest.mock("@auth/express", () => ({ ExpressAuth }))`,
      `jest.mock("@latchkey/express", () => ({ MiddlewareAuth: ExpressAuth }))`,
    ],
    ...[
      `app.use((await import("@auth/express")).ExpressAuth({}))`,
      `app.use((await import("@auth/express"))["ExpressAuth"]({}))`,
      `const authjs = await import("@auth/express")\napp.use(authjs.ExpressAuth({}))`,
      `const pending = import("@auth/express")\napp.use((await pending).ExpressAuth({}))`,
      `import("@auth/express").then((authjs) => authjs.ExpressAuth({}))`,
      `import("@auth/express").then(({ ExpressAuth: create }) => create({}))`,
      `import("@auth/express").then(function (m) { return m!.ExpressAuth })`,
      `const authjs = require("@auth/express")\nauthjs.ExpressAuth({})`,
      `import authjs = require("@auth/express")\nauthjs.ExpressAuth({})`,
      `const actual = await vi.importActual("@auth/express")\nactual.ExpressAuth({})`,
      `type Create = (typeof import("@auth/express"))["ExpressAuth"]`,
    ].map((before) => [
      before,
      before,
      before.replace("@auth/", "@latchkey/").replace("ExpressAuth", "MiddlewareAuth"),
    ]),
  ])("%s", (_, before, after) => {
    expect(move(before)).toEqual({ text: after, advice: [] })
  })

  test.each([
    `const load = () => import("@auth/express")`,
    `const { getSession, ...others } = await import("@auth/express")`,
    `Promise.all([import("@auth/express")]).then(([authjs]) => authjs.ExpressAuth)`,
    `let create\n;({ ExpressAuth: create } = await import("@auth/express"))`,
    `import("@auth/express").then(useAuth)`,
    `import * as authjs from "@auth/express"\nexport { authjs }`,
    `export * from "@auth/express"`,
  ])("what it cannot follow is listed: %s", (before) => {
    const { text, advice } = move(before)
    expect(text).toBe(before.replace("@auth/", "@latchkey/"))
    expect(advice).toEqual([expect.stringContaining("ExpressAuth is MiddlewareAuth")])
  })

  test.each([
    `const { Auth } = await import("@auth/core")`,
    `await import("@auth/express")`,
    `const loaded = import("@auth/core")\nexport { loaded }`,
  ])("nothing has another name in %s", (before) => {
    expect(move(before).advice).toEqual([])
  })
})

describe("users without an address", () => {
  test.each([
    ["facebook", "does not prove addresses"],
    ["spotify", "does not prove addresses"],
    ["reddit", "has no addresses"],
  ])("%s is listed while an adapter stays: it %s", (id, reason) => {
    const text = `import provider from "@auth/core/providers/${id}"\n`
    expect(move(text, "a.ts", true).advice).toEqual([expect.stringContaining(reason)])
    expect(move(text).advice).toEqual([])
  })

  test.each(["github", "google", "united-effects"])("%s is not", (id) => {
    expect(move(`import a from "@auth/core/providers/${id}"\n`, "a.ts", true).advice).toEqual([])
  })
})

describe("augmentations", () => {
  const declare = (module: string) =>
    `declare module "${module}" {\n  interface User { role?: string }\n}`

  test.each([
    ["@auth/core/types", "@auth/core/types", "@latchkey/core/types"],
    ["@auth/core/jwt", "@auth/core/jwt", "@latchkey/core/jwt"],
    ["@auth/express", "@auth/core/types", "@latchkey/express"],
    ["@auth/sveltekit/adapters", "@auth/core/adapters", "@latchkey/sveltekit/adapters"],
    ["next-auth/jwt", "@auth/core/jwt", "@latchkey/core/jwt"],
  ])("%s is declared in both modules while an adapter stays", (before, authjs, ours) => {
    const both = `${declare(authjs)}\n\n${declare(ours)}\n`
    expect(move(`${declare(before)}\n`, "src/auth.d.ts", true).text).toBe(both)
    expect(move(both, "src/auth.d.ts", true)).toEqual({ text: both, advice: [] })
    expect(move(`${declare(before)}\n`).text).toBe(`${declare(ours)}\n`)
  })
})

describe("configurations", () => {
  const [before, after] = ["@auth/express", "@latchkey/express"].map(
    (module) => `import { getSession } from '${module}';\n`,
  )
  const loggerImport = "import { fromAuthjsLogger } from '@latchkey/core/authjs';\n"

  test.each([
    [
      "{ error: (error) => report(error) }",
      "fromAuthjsLogger({ error: (error) => report(error) })",
    ],
    ["pino", "fromAuthjsLogger(pino)"],
    ["createLogger()", "fromAuthjsLogger(createLogger())"],
  ])("a logger is converted: %s", (logger, converted) => {
    expect(move(`${before}export default { providers: [], logger: ${logger} }`).text).toBe(
      `${loggerImport}${after}export default { providers: [], logger: ${converted} }`,
    )
  })

  test("the name alone of a logger", () => {
    expect(move(`${before}export default { providers, logger }`).text).toBe(
      `${loggerImport}${after}export default { providers, logger: fromAuthjsLogger(logger) }`,
    )
  })

  test.each(["{ warn() {} }", "undefined", "fromAuthjsLogger(pino)"])(
    "a logger that works stays: %s",
    (logger) => {
      const config = `export default { providers: [], logger: ${logger} }`
      expect(move(before + config).text).toBe(after + config)
    },
  )

  test("two loggers have one import", () => {
    const configs =
      "export const a = { providers: [], logger }\nexport const b = { providers: [], logger }"
    expect(move(before + configs).text).toBe(
      loggerImport + after + configs.replaceAll("logger }", "logger: fromAuthjsLogger(logger) }"),
    )
  })

  test("where nothing is imported, a person has to import the converter", () => {
    const config = "module.exports = { providers: [], logger }"
    expect(move(`const a = import("@auth/core")\n${config}`, "auth.cjs")).toEqual({
      text: `const a = import("@latchkey/core")\n${config}`,
      advice: [expect.stringContaining("fromAuthjsLogger")],
    })
  })

  test("paths of pages begin with a slash, and times are numbers", () => {
    const config = (pages: string, session: string) =>
      `export const a = { providers: [], pages: { ${pages} }, session: { ${session} } }`
    const moved = move(
      before +
        config(
          "signIn: 'login', signOut: '/out', error: 'https://a.example/e', newUser",
          "strategy: 'jwt', maxAge: '3600', updateAge: 60",
        ),
    )
    expect(moved.text).toBe(
      after +
        config(
          "signIn: '/login', signOut: '/out', error: 'https://a.example/e', newUser",
          "strategy: 'jwt', maxAge: 3600, updateAge: 60",
        ),
    )
  })

  test("a base path that Auth.js ignored needs a person", () => {
    const text = `import { SvelteKitAuth } from "@auth/sveltekit"\nSvelteKitAuth({ providers: [], basePath: "/a" })`
    expect(move(text).advice).toEqual([expect.stringContaining("ignored this basePath")])
    expect(move(text.replace('"/a"', '"/auth"')).advice).toEqual([])
  })

  test("objects in files without Auth.js stay", () => {
    const text = `const a = { providers: [], logger, pages: { signIn: "login" } } // "@auth/core"`
    expect(move(text).text).toBe(text)
  })

  test("line ends stay", () => {
    const text = `import { Auth } from "@auth/core"\r\nAuth(request, { providers: [], logger })\r\n`
    expect(move(text).text.replaceAll("\r\n", "")).not.toContain("\n")
  })
})

describe("configurations of Qwik stay on the server", () => {
  const imports = (module: string, name: string) => `import { ${name} } from "${module}"\n`
  const isServerImport = imports("@builder.io/qwik", "isServer")

  test.each([
    ["() => ({ providers: [] })", "() => isServer && ({ providers: [] })"],
    ["(event) => create(event)", "(event) => isServer && create(event)"],
    ["() => config as Config", "() => isServer && (config as Config)"],
    [
      "(event) => {\n  const id = event.env\n  return { providers: [] }\n}",
      "(event) => {\n  if (!isServer) return false\n  const id = event.env\n  return { providers: [] }\n}",
    ],
  ])("%s", (factory, guarded) => {
    const text = `${imports("@auth/qwik", "QwikAuth$")}export const a = QwikAuth$(${factory})\n`
    expect(move(text)).toEqual({
      text: `${isServerImport}${imports("@latchkey/qwik", "ResumableAuth$")}export const a = ResumableAuth$(${guarded})\n`,
      advice: [],
    })
  })

  test("an import of Qwik is extended", () => {
    const text = `import { $ } from "@builder.io/qwik"\n${imports("@auth/qwik", "QwikAuth$")}QwikAuth$(() => config)`
    expect(move(text).text).toContain(`import { $, isServer } from "@builder.io/qwik"\n`)
  })

  test("every configuration is guarded, under any name", () => {
    const text = `import * as qwik from "@auth/qwik"
import { QwikAuth$ as auth$, QwikAuth$ } from "@auth/qwik"
export const a = QwikAuth$(() => one)
export const b = QwikAuth$(() => two)
export const c = auth$(() => three)
export const d = qwik.QwikAuth$(() => four)
`
    const { text: moved, advice } = move(text)
    expect(advice).toEqual([])
    for (const name of ["one", "two", "three", "four"])
      expect(moved).toContain(`(() => isServer && ${name})`)
    expect(moved.match(/import \{ isServer \}/g)).toHaveLength(1)
  })

  test("a name that the file imports already is used", () => {
    const build = `import { isServer } from "@builder.io/qwik/build"\n`
    const text = `${build}${imports("@auth/qwik", "QwikAuth$")}QwikAuth$(() => config)`
    expect(move(text).text).toBe(
      `${build}${imports("@latchkey/qwik", "ResumableAuth$")}ResumableAuth$(() => isServer && config)`,
    )
  })

  test("a name that means something else needs a person", () => {
    const text = `${imports("@auth/qwik", "QwikAuth$")}const isServer = true\nQwikAuth$(() => config)`
    expect(move(text).advice).toEqual([expect.stringContaining("isServer && config")])
  })

  test("a function from elsewhere needs a person", () => {
    const text = `${imports("@auth/qwik", "QwikAuth$")}QwikAuth$(createConfig)`
    expect(move(text).advice).toEqual([expect.stringContaining("isServer && config")])
  })
})
