import { execFileSync } from "node:child_process"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { type Framework, findFramework, frameworks } from "../src/init/framework.ts"
import { runInitCommand } from "../src/init/init.ts"
import { createPlan } from "../src/init/plan.ts"
import { assertSupported, readProject } from "../src/init/project.ts"
import { createFolder, runLatchkey } from "./support/run-latchkey.ts"

const express = {
  "package.json":
    '{\n\t"name": "shop",\n\t"type": "module",\n\t"dependencies": { "express": "^5.1.0" }\n}\n',
  "server.js": 'import express from "express"\n',
}

/** Creates a folder outside of our repository, where Git would ignore everything. */
function createProject(files?: Record<string, string>): string {
  return createFolder(files, tmpdir())
}

/** Returns the contents of all files. */
function readFiles(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    files
      .filter((file) => file.isFile() && !file.parentPath.includes("/.git"))
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]),
  )
}

function init(folder: string, ...args: string[]) {
  return runLatchkey(["init", "--no-install", ...args], folder)
}

describe("a new application", () => {
  test("is created in an empty folder", async () => {
    const folder = createProject({ "README.md": "# Shop\n" })

    const { status, out } = await init(folder, "--framework", "express", "--yes")

    expect(status).toBe(0)
    const files = readFiles(folder)
    expect(Object.keys(files).sort()).toEqual([
      ".env",
      ".env.development",
      ".gitignore",
      "README.md",
      "auth.ts",
      "package.json",
      "public/style.css",
      "server.ts",
      "start.ts",
      "tsconfig.json",
    ])
    for (const name of Object.keys(files).filter((each) => each !== "README.md"))
      expect(out).toContain(`+ ${name}`)
    expect(files[".env"]).toMatch(/^AUTH_SECRET="[\w+/]{44}"\n$/)
    expect(out).not.toContain(/"(.*)"/.exec(files[".env"] ?? "")?.[1])
    expect(files[".gitignore"]).toContain(".env\n.env.local\n.env.*.local\n")
    expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600)
    const { dependencies, devDependencies } = JSON.parse(files["package.json"] ?? "")
    expect(Object.keys(dependencies)).toEqual(["@latchkey/core", "@latchkey/express", "express"])
    expect(devDependencies["@latchkey/testing"]).toMatch(/^\^\d/)
  })

  test("is JavaScript where Node.js does not run TypeScript", () => {
    const folder = createProject()
    const express = findFramework("express") as Framework
    const { files, configFile } = createPlan(readProject(folder), express, {
      nodeVersion: "20.19.0",
    })
    const texts = new Map(files.map(({ path, text }) => [path, text]))
    expect([...texts.keys()].sort()).toEqual([
      ".env.development",
      ".gitignore",
      "auth.js",
      "package.json",
      "public/style.css",
      "server.js",
      "start.js",
    ])
    expect(configFile).toBe("auth.js")
    for (const path of ["auth.js", "server.js", "start.js"]) {
      const text = texts.get(path) ?? ""
      expect(stripTypeScriptTypes(text), path).toBe(text)
      expect(text, path).not.toMatch(/\b(?:auth|server)\.ts\b/)
    }
    const manifest = JSON.parse(texts.get("package.json") ?? "")
    expect(manifest.scripts).toEqual({
      dev: "node --watch --env-file=.env --env-file=.env.development server.js",
      start: "node --env-file=.env start.js",
    })
    expect(Object.keys(manifest.devDependencies)).toEqual(["@latchkey/cli", "@latchkey/testing"])
    expect(manifest.engines).toEqual({ node: ">=20.6" })
  })

  test("is created in a folder of its own, which gives it its name", async () => {
    const folder = createProject()

    const { out } = await init(folder, "My Shop", "--framework", "express", "--yes")

    expect(out).toContain('cd "My Shop"')
    expect(JSON.parse(readFiles(folder)["My Shop/package.json"] ?? "").name).toBe("my-shop")
  })

  test("keeps the package.json of npm init", async () => {
    const folder = createProject({
      "package.json": '{"name":"shop","type":"module","scripts":{"dev":"mine"}}',
    })

    await init(folder, "--framework", "express", "--yes")

    const manifest = JSON.parse(readFiles(folder)["package.json"] ?? "")
    expect(manifest).toMatchObject({ name: "shop", scripts: { dev: "mine", check: "tsc" } })
  })

  test("is not created where nobody can answer", async () => {
    const folder = createProject()

    const { status, out } = await init(folder, "--framework", "express")

    expect([status, readdirSync(folder)]).toEqual([0, []])
    expect(out).toContain("--yes")
  })

  test("needs a framework", async () => {
    const { status, err } = await init(createProject(), "--yes")

    expect(status).toBe(1)
    expect(err).toContain("--framework: express")
  })

  test("is not created beside other files", async () => {
    const folder = createProject({ "letter.txt": "Dear Ann" })

    const { status, err } = await init(folder, "--framework", "express", "--yes")

    expect([status, readdirSync(folder)]).toEqual([1, ["letter.txt"]])
    expect(err).toContain(
      "This folder contains letter.txt, but no package.json. Run the command in",
    )
  })
})

describe("every framework", () => {
  const names = frameworks.map(({ name }) => name)

  test.each(names)("%s has a sorted manifest, and starts in any shell", async (framework) => {
    const folder = createProject()
    await init(folder, "--framework", framework, "--yes")

    const files = readFiles(folder)
    const manifest = JSON.parse(files["package.json"] ?? "")
    const members = ["name", "private", "type", "scripts", "dependencies", "devDependencies"]
    expect(Object.keys(manifest).slice(0, 6)).toEqual(members)
    for (const list of [manifest.dependencies, manifest.devDependencies])
      expect(Object.keys(list)).toEqual(Object.keys(list).sort())
    // Next.js sets NODE_ENV and reads .env itself.
    if (framework === "next") return expect(manifest.scripts.start).toBe("next start")
    // The server of React Router sets NODE_ENV.
    if (framework === "react-router")
      return expect(manifest.scripts.start).toMatch(/^node --env-file-if-exists=\.env \S+serve/)
    expect(manifest.scripts.start).toMatch(/^node --env-file-if-exists=\.env start\.[jt]s$/)
    return expect(files[manifest.scripts.start.split(" ").at(-1)]).toContain(
      'NODE_ENV = "production"',
    )
  })

  test.each(names)("%s leads to the same sign-in page, which leads back", async (framework) => {
    const folder = createProject()
    await init(folder, "--framework", framework, "--yes")

    const sources = Object.values(readFiles(folder)).join("\n")
    // The guard of Next.js and @latchkey/fetch is the library's.
    expect(sources).toMatch(/\/auth\/signin\?callbackUrl=|requireSession\(\)/)
    expect(sources).toMatch(/originalUrl|\bsearch\b|requireSession\(\)/)
    if (framework !== "next") expect(sources).not.toContain("/api/auth")
  })

  test("is checked for its Node.js version before anything is written", () => {
    const project = readProject(createProject())
    for (const framework of frameworks) {
      const check = (version: string) => assertSupported(project, framework, version)
      expect(() => check("20.5.0")).toThrow(
        `for ${framework.title} needs Node.js ${framework.oldestNode} or newer, and this is 20.5.0`,
      )
      expect(() => check(`${framework.oldestNode}.0`)).not.toThrow()
    }
  })
})

describe("settings of the package manager", () => {
  const settings = ["pnpm-workspace.yaml", ".yarnrc.yml"]
  const readSettings = (folder: string) => {
    const files = readFiles(folder)
    return settings.map((name) => files[`app/${name}`])
  }
  const args = ["app", "--framework", "express", "--yes"]

  test("let pnpm install packages whose scripts it does not run", async () => {
    const folder = createProject({ "app/pnpm-lock.yaml": "" })
    await init(folder, ...args)
    expect(readSettings(folder)).toEqual(["strictDepBuilds: false\n", undefined])
  })

  test("make Yarn create `node_modules`, which frameworks need", async () => {
    const folder = createProject({ "app/yarn.lock": "" })
    await init(folder, ...args)
    expect(readSettings(folder)).toEqual([undefined, "nodeLinker: node-modules\n"])
  })

  test.each([
    { "pnpm-lock.yaml": "", "pnpm-workspace.yaml": 'packages: ["*"]\n' },
    { "yarn.lock": "", "package.json": '{ "workspaces": ["*"] }' },
  ])("are those of the workspace around it: %o", async (root) => {
    const folder = createProject({ ...root, "app/README.md": "# Shop\n" })
    const { out } = await init(folder, ...args.with(2, "nuxt"))
    expect(readSettings(folder)).toEqual([undefined, undefined])
    expect(out).toMatch(/root of the workspace has to override:\n\n {2}vite: ~[\d.]+\n/)
  })

  test("are written in a repository of its own, whatever is around it", async () => {
    const root = { "package.json": '{ "workspaces": ["*"] }' }
    const folder = createProject({ ...root, "app/.git/HEAD": "", "app/yarn.lock": "" })
    await init(folder, ...args)
    expect(readSettings(folder)).toEqual([undefined, "nodeLinker: node-modules\n"])
  })

  test("are written beside a project that is no workspace", async () => {
    const folder = createProject({ "package.json": "{}", "pnpm-lock.yaml": "" })
    await init(folder, ...args)
    expect(readSettings(folder)).toEqual(["strictDepBuilds: false\n", undefined])
  })

  test("stay in an application that exists", async () => {
    const folder = createProject({
      "app/package.json": express["package.json"],
      "app/yarn.lock": "",
    })
    await init(folder, ...args)
    expect(readSettings(folder)).toEqual([undefined, undefined])
  })
})

describe("packages from a folder", () => {
  const names = ["adapter-kit", "cli", "client", "core", "express", "pages", "sql", "testing"]
  const tarballs = names.map((name) => [`packed/latchkey-${name}-0.1.0.tgz`, ""])
  const args = ["app", "--framework", "express", "--yes", "--packages", "packed"]
  const overridden = names.filter((name) => name !== "sql")

  test("are installed instead of those of the registry", async () => {
    const folder = createProject(Object.fromEntries(tarballs))

    await init(folder, ...args)

    const { dependencies, devDependencies, overrides } = JSON.parse(
      readFiles(folder)["app/package.json"] ?? "",
    )
    const file = (name: string) => `file:${folder}/packed/latchkey-${name}-0.1.0.tgz`
    expect(dependencies).toMatchObject({
      "@latchkey/core": file("core"),
      "@latchkey/express": file("express"),
    })
    expect(devDependencies["@latchkey/testing"]).toBe(file("testing"))
    const entries = overridden.map((name) => [`@latchkey/${name}`, file(name)])
    expect(overrides).toEqual(Object.fromEntries(entries))
  })

  test("are in `resolutions` for Yarn", async () => {
    const folder = createProject({ ...Object.fromEntries(tarballs), "app/yarn.lock": "" })

    await init(folder, ...args)

    const manifest = JSON.parse(readFiles(folder)["app/package.json"] ?? "")
    const expected = overridden.map((name) => `@latchkey/${name}`)
    expect(Object.keys(manifest.resolutions)).toEqual(expected)
    expect(manifest).not.toHaveProperty("overrides")
  })

  test("are in a file of its own for pnpm, as the versions of a template", async () => {
    const solid = Object.fromEntries([...tarballs, ["packed/latchkey-solid-start.tgz", ""]])
    const folder = createProject({ ...solid, "app/pnpm-lock.yaml": "" })

    await init(folder, ...args.with(2, "solid-start"))

    const files = readFiles(folder)
    const file = `"file:${folder}/packed/latchkey-adapter-kit-0.1.0.tgz"`
    expect(files["app/pnpm-workspace.yaml"]).toMatch(
      /^strictDepBuilds: false\noverrides:\n {2}"rolldown": "[\d.]+"\n/,
    )
    expect(files["app/pnpm-workspace.yaml"]).toContain(`\n  "@latchkey/adapter-kit": ${file}\n`)
    const manifest = JSON.parse(files["app/package.json"] ?? "")
    for (const member of ["overrides", "resolutions"]) expect(manifest).not.toHaveProperty(member)
  })

  test("must all be there", async () => {
    const folder = createProject({ "packed/latchkey-core.tgz": "" })

    const { status, err } = await init(folder, ...args)

    expect([status, err]).toEqual([
      1,
      "packed has no tarball of @latchkey/express, such as npm pack writes it.\n",
    ])
    expect(existsSync(join(folder, "app"))).toBe(false)
  })
})

describe("a folder that is no place for an application", () => {
  test("is named after its framework if that is another one", async () => {
    const manifest = '{ "name": "shop", "dependencies": { "fastify": "^5.0.0" } }'
    const folder = createProject({ "package.json": manifest, "server.ts": "" })

    const { status, err } = await init(folder, "--yes")

    expect([status, err.split("\n").length]).toEqual([1, 2])
    expect(err).toContain("an application for Fastify, which this command does not know")
  })

  test("is named as its package.json is", async () => {
    const manifest = '{ "name": "shop" }'
    const folder = createProject({ "package.json": manifest, "index.js": "" })

    expect((await init(folder, "--yes")).err).toMatch(
      /^shop uses no framework that this command knows: Express, .*\n$/,
    )
  })

  test("may be a file", async () => {
    const folder = createProject({ app: "" })

    const { status, err } = await init(folder, "app", "--framework", "express", "--yes")

    expect([status, err]).toEqual([
      1,
      `${join(folder, "app")} is a file. Name the folder of your application, or a new one.\n`,
    ])
  })
})

describe("an application that exists", () => {
  test("gets the configuration, the routes and a secret, and keeps everything else", async () => {
    const folder = createProject({ ...express, ".env": "PORT=80", ".gitignore": "dist" })

    const { status, out } = await init(folder, "--yes")

    expect(status).toBe(0)
    const files = readFiles(folder)
    expect(Object.keys(files).sort()).toEqual([
      ".env",
      ".gitignore",
      "auth.js",
      "members.js",
      "package.json",
      "server.js",
    ])
    expect(files["members.js"]).toContain('from "./auth.js"')
    expect(files["server.js"]).toBe(express["server.js"])
    expect(files[".env"]).toMatch(/^PORT=80\nAUTH_SECRET="/)
    expect(files[".gitignore"]).toBe("dist\n.env\n.env.local\n.env.*.local\n")
    expect(files["package.json"]).toContain('\t\t"express": "^5.1.0"')
    expect(out).toContain('    import { members } from "./members.js"\n    app.use(members)\n')
    expect(out).toContain("npx @latchkey/cli doctor --development --online")
    expect(files["auth.js"]).toContain("Nobody can sign in: auth.js has no provider")
    expect(out).toContain("~ package.json  adds @latchkey/core, @latchkey/express, ")
  })

  test.each([
    ["{}", ".js"],
    ['{ "compilerOptions": { "allowImportingTsExtensions": true } }', ".ts"],
  ])("with the TypeScript options %s imports files with %s", async (tsconfig, extension) => {
    const folder = createProject({ ...express, "tsconfig.json": tsconfig, "src/app.ts": "" })

    await init(folder, "--yes")

    expect(readFiles(folder)["src/members.ts"]).toContain(`from "./auth${extension}"`)
  })

  test("changes nothing when it runs again, also after changes by hand", async () => {
    const folder = createProject(express)
    await init(folder, "--yes")
    const file = join(folder, "auth.js")
    writeFileSync(file, readFileSync(file, "utf8").replace("providers: [", "providers: [github,"))
    const before = readFiles(folder)

    const { status, out } = await init(folder, "--yes")

    expect([status, out]).toEqual([0, "Nothing to do: Latchkey for Express is set up here.\n"])
    expect(readFiles(folder)).toEqual(before)
  })

  test("keeps a file of the same name, and says what to add", async () => {
    const own = "export const secretDoor = 1\n"
    const folder = createProject({ ...express, "auth.js": own })

    const { out } = await init(folder, "--yes")

    expect(readFiles(folder)["auth.js"]).toBe(own)
    expect(out).toContain("auth.js exists, and is left as it is. Add this to it:")
    expect(out).toContain("    export const config = defineConfig({")
  })

  test("keeps the secret that it has", async () => {
    const folder = createProject({ ...express, ".env.local": 'AUTH_SECRET="c2VjcmV0"\n' })

    await init(folder, "--yes")

    expect(existsSync(join(folder, ".env"))).toBe(false)
  })

  test("keeps a .gitignore that has patterns for the files with secrets", async () => {
    for (const pattern of [".env*", ".en?\n*.local\n", "/.env\n.env.local\n.env.*"]) {
      const folder = createProject({ ...express, ".gitignore": pattern })
      await init(folder, "--yes")
      expect(readFiles(folder)[".gitignore"]).toBe(pattern)
    }
    const repository = createProject({ ...express, ".gitignore": "*.local\n.en?\n" })
    execFileSync("git", ["init", "--quiet"], { cwd: repository })
    await init(repository, "--yes")
    expect(readFiles(repository)[".gitignore"]).toBe("*.local\n.en?\n")
  })

  test("adds .env to a .gitignore that only has its variants", async () => {
    for (const isRepository of [false, true]) {
      const folder = createProject({ ...express, ".gitignore": ".env.*\n" })
      if (isRepository) execFileSync("git", ["init", "--quiet"], { cwd: folder })
      const { err } = await init(folder, "--yes")
      expect([readFiles(folder)[".gitignore"], err]).toEqual([".env.*\n.env\n", ""])
    }
  })

  test("warns if Git tracks the file with the secret", async () => {
    const folder = createProject({ ...express, ".env": "PORT=80\n" })
    execFileSync("git", ["init", "--quiet"], { cwd: folder })
    execFileSync("git", ["add", ".env"], { cwd: folder })

    expect((await init(folder, "--yes")).err).toContain("git rm --cached .env")
  })

  test.each([
    ['{"type":"module","dependencies":{"express":"^3.2.0"}}', "4.18.2 or newer"],
    ['{"dependencies":{"express":"^5.0.0"}}', "npm pkg set type=module"],
    ['{"type":"module",', "not valid JSON"],
    ['{"dependencies":{"next":"^16.0.0","next-auth":"^5.0.0-beta.29"}}', "npx @latchkey/cli move"],
    ['{"dependencies":{"next":"14.2.3"}}', "15.5.0 or newer"],
  ])("is refused with the package.json %s", async (manifest, message) => {
    const folder = createProject({ "package.json": manifest })

    const { status, err } = await init(folder, "--yes")

    expect([status, readdirSync(folder)]).toEqual([1, ["package.json"]])
    expect(err).toContain(message)
  })

  test("writes through no link", async () => {
    const outside = createProject({ "precious.txt": "keep" })
    for (const name of [".env", "auth.js", ".gitignore"]) {
      const folder = createProject(express)
      symlinkSync(join(outside, "precious.txt"), join(folder, name))

      const { status, err } = await init(folder, "--yes")

      expect([status, readdirSync(folder).length]).toEqual([1, 3])
      expect(err).toContain(`${name} is a link`)
      expect(lstatSync(join(folder, name)).isSymbolicLink()).toBe(true)
    }
    const folder = createProject({ "package.json": express["package.json"] })
    mkdirSync(join(outside, "src"))
    symlinkSync(join(outside, "src"), join(folder, "src"))
    expect((await init(folder, "--yes")).err).toContain("src is a link")
    expect(readFiles(outside)).toEqual({ "precious.txt": "keep" })
  })
})

describe("other frameworks", () => {
  const dependencies = {
    sveltekit: { "@sveltejs/kit": "^3.0.0" },
    "solid-start": { "@solidjs/start": "^2.0.0" },
    qwik: { "@builder.io/qwik": "^1.20.0", "@builder.io/qwik-city": "^1.20.0" },
  }

  test.each(Object.entries(dependencies))(
    "%s is recognised",
    async (framework, devDependencies) => {
      const manifest = JSON.stringify({ type: "module", devDependencies })
      const folder = createProject({ "package.json": manifest, "vite.config.ts": "" })

      const { status } = await init(folder, "--yes")

      expect(status).toBe(0)
      const files = readFiles(folder)
      expect(files["src/auth.config.ts"]).toContain("import.meta.env?.DEV")
      expect(files["package.json"]).toContain(`"@latchkey/${framework}"`)
      expect(Object.keys(files).some((path) => path.startsWith("src/routes/members"))).toBe(true)
      expect((await init(folder, "--yes")).out).toContain("Nothing to do")
    },
  )

  test("Hono gets routes to mount, in the language and folder of the application", async () => {
    const manifest = JSON.stringify({ type: "module", dependencies: { hono: "^4.13.0" } })
    const folder = createProject({
      "package.json": manifest,
      "tsconfig.json": "{}",
      "src/index.ts": 'import { Hono } from "hono"\n',
    })

    const { out } = await init(folder, "--yes")

    const files = readFiles(folder)
    expect(files["src/members.ts"]).toContain('import { auth } from "./auth.js"')
    expect(files["package.json"]).toContain('"@latchkey/fetch"')
    expect(out).toContain('    app.route("/", members)\n')
    expect((await init(folder, "--yes")).out).toContain("Nothing to do")
  })

  test("a hook of the application stays, and the command prints ours", async () => {
    const manifest = { type: "module", devDependencies: dependencies.sveltekit }
    const hook = 'import { log } from "$lib/auth"\nexport const handle = log\n'
    const folder = createProject({
      "package.json": JSON.stringify(manifest),
      "src/hooks.server.ts": hook,
    })

    const { out } = await init(folder, "--yes")

    expect(readFiles(folder)["src/hooks.server.ts"]).toBe(hook)
    expect(out).toContain("src/hooks.server.ts exists")
    expect(out).toContain('    export { handle } from "./auth.ts"')
    const own = `${hook}export { handle as auth } from "./auth.ts"\n`
    writeFileSync(join(folder, "src/hooks.server.ts"), own)
    expect((await init(folder, "--yes")).out).toContain("Nothing to do")
  })

  test("the files for Qwik 2 have the names of its packages", async () => {
    const devDependencies = {
      "@qwik.dev/core": "2.0.0-beta.45",
      "@qwik.dev/router": "2.0.0-beta.45",
    }
    const manifest = JSON.stringify({ type: "module", devDependencies })
    const folder = createProject({ "package.json": manifest })

    await init(folder, "--yes")

    const files = readFiles(folder)
    expect(Object.values(files).join()).not.toContain("@builder.io")
    expect(files["src/routes/members/layout.tsx"]).toContain('"@qwik.dev/router"')
  })

  test("an application with two frameworks needs the option", async () => {
    const devDependencies = { ...dependencies.sveltekit, express: "^5.0.0" }
    const manifest = JSON.stringify({ type: "module", devDependencies })
    const folder = createProject({ "package.json": manifest })

    expect((await init(folder, "--yes")).err).toContain("--framework: express, sveltekit")
    expect((await init(folder, "--yes", "--framework", "qwik")).err).toContain(
      "uses Express and SvelteKit, not Qwik",
    )
    expect((await init(folder, "--yes", "--framework", "sveltekit")).status).toBe(0)
  })

  test.each([
    [
      "React Router",
      { "@react-router/dev": "^8.4.0", "react-router": "^8.4.0" },
      { "app/root.tsx": "export default App\n", "app/routes.ts": "export default []\n" },
      ["app/auth.server.ts", "app/routes/members.tsx"],
      ["app/root.tsx exists", "export const middleware = [authMiddleware]", 'route("auth/*"'],
    ],
    [
      "Astro",
      { astro: "^7.0.0" },
      {
        "src/middleware.ts": "export const onRequest = a\n",
        "src/layouts/Page.astro": "<slot />\n",
      },
      ["src/auth.ts", "src/pages/auth/[...auth].ts", "src/pages/members.astro"],
      ["src/middleware.ts exists", "createOnRequest(auth)"],
    ],
    [
      "Nuxt",
      { nuxt: "^4.5.0" },
      { "nuxt.config.ts": "export default defineNuxtConfig({})\n" },
      ["server/utils/auth.ts", "server/middleware/0.auth.ts", "app/pages/members.vue"],
      ["nuxt.config.ts exists", "esnext"],
    ],
  ])(
    "%s keeps its own files, and reads what to add",
    async (_, dependencies, own, created, lines) => {
      const manifest = JSON.stringify({ type: "module", dependencies })
      const folder = createProject({ "package.json": manifest, ...own })

      const { status, out } = await init(folder, "--yes")

      expect(status).toBe(0)
      const files = readFiles(folder)
      expect(files).toMatchObject(own)
      expect(Object.keys(files)).toEqual(expect.arrayContaining(created))
      for (const line of lines) expect(out).toContain(line)
      expect(out).not.toContain("src/layouts/Page.astro")
      expect(files["package.json"]).toContain('"@latchkey/fetch"')
    },
  )

  test("an unknown one is an invalid command line", async () => {
    const { status, err } = await init(createProject(), "--framework", "koa")

    expect(status).toBe(2)
    expect(err).toContain(
      "Allowed choices are express, sveltekit, solid-start, qwik, next, hono, react-router, astro, nuxt.",
    )
  })
})

describe("an application on Next.js", () => {
  const createNextProject = (dependencies: object, ...files: string[]) =>
    createProject({
      "package.json": JSON.stringify({ dependencies }),
      ...Object.fromEntries(files.map((file) => [file, ""])),
    })
  const listSources = (folder: string) =>
    Object.keys(readFiles(folder))
      .filter((file) => /\.[jt]sx?$/.test(file))
      .sort()

  test("with its pages in the root gets the files there, and keeps its layout", async () => {
    const own = ["app/layout.tsx", "app/page.tsx", "next-env.d.ts", "src/middleware/log.ts"]
    const folder = createNextProject({ next: "16.4.6" }, ...own, "tsconfig.json")

    const { out } = await init(folder, "--yes")

    expect(listSources(folder)).toEqual(
      [
        ...own,
        "app/api/auth/[[...nextauth]]/route.ts",
        "app/members/actions.ts",
        "app/members/page.tsx",
        "auth.ts",
        "proxy.ts",
      ].sort(),
    )
    expect(readFiles(folder)["app/layout.tsx"]).toBe("")
    expect(out).not.toContain("exists, and is left")
    expect((await init(folder, "--yes")).out).toContain("Nothing to do")
  })

  test("without the App Router, in JavaScript and before version 16", async () => {
    const folder = createNextProject({ next: "^15.5.0" }, "src/pages/index.js")

    await init(folder, "--yes")

    expect(listSources(folder)).toEqual([
      "src/app/api/auth/[[...nextauth]]/route.js",
      "src/app/layout.jsx",
      "src/app/members/actions.js",
      "src/app/members/page.jsx",
      "src/auth.js",
      "src/middleware.js",
      "src/pages/index.js",
    ])
    const files = readFiles(folder)
    expect(files["src/app/layout.jsx"]).toMatch(/^export default function Layout\(\{ children \}\)/)
    expect(files["src/middleware.js"]).toContain("auth as middleware")
    expect(files["src/middleware.js"]).toContain('runtime: "nodejs", matcher')
  })

  test("keeps its own middleware, and reads what to add", async () => {
    const folder = createNextProject(
      { next: "16.4.6" },
      "src/app/layout.tsx",
      "src/middleware.ts",
      "tsconfig.json",
    )

    const { out } = await init(folder, "--yes")

    expect(listSources(folder)).not.toContain("src/proxy.ts")
    expect(out).toContain("src/middleware.ts exists, and is left as it is. Add this to it:")
  })
})

test("asks for the framework and for permission on a terminal", async () => {
  const folder = createProject()
  const lines: string[] = []
  const questions: string[] = []
  const terminal = {
    out: (text: string) => void lines.push(text),
    err: (text: string) => void lines.push(text),
    choose: (question: string, choices: readonly string[]) => {
      questions.push(question)
      return Promise.resolve(choices.indexOf("Express"))
    },
    confirm: (question: string, isYes?: boolean) => {
      questions.push(`${question} ${isYes ? "[Y/n]" : "[y/N]"}`)
      return Promise.resolve(questions.length > 3)
    },
  }
  const command = {
    folder: "app",
    install: false,
  } as const

  await runInitCommand(command, terminal, folder)
  expect([questions, existsSync(join(folder, "app"))]).toEqual([
    ["Which framework?", "Write this? [Y/n]"],
    false,
  ])
  await runInitCommand(command, terminal, folder)
  expect(existsSync(join(folder, "app/auth.ts"))).toBe(true)
})

test("asks for a new folder where other files are", async () => {
  const folder = createProject({ "letter.txt": "Dear Ann" })
  const lines: string[] = []
  const write = (text: string) => void lines.push(text)
  const run = (answer: string | undefined) => {
    const terminal = { out: write, err: write, ask: () => Promise.resolve(answer) }
    return runInitCommand({ framework: "express", yes: true, install: false }, terminal, folder)
  }

  expect([await run(undefined), lines]).toEqual([0, ["Nothing was written."]])
  expect(await run("shop")).toBe(0)
  expect(existsSync(join(folder, "shop/auth.ts"))).toBe(true)
})

test("a user who chooses no framework reads one line, and npm adds no error to it", async () => {
  const folder = createProject()
  const lines: string[] = []
  const write = (text: string) => void lines.push(text)
  const terminal = { out: write, err: write, choose: () => Promise.resolve(undefined) }
  const command = {
    folder,
    install: false,
  } as const

  expect(await runInitCommand(command, terminal, folder)).toBe(0)
  expect(lines).toEqual([
    "Nothing was written. Choose a framework with --framework: express, sveltekit, solid-start, qwik, next, hono, react-router, astro, nuxt.",
  ])
  expect(readFiles(folder)).toEqual({})
})
