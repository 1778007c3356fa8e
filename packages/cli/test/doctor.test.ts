import { mkdirSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { adapterMistakes } from "./mistakes/adapter.ts"
import { configurationMistakes } from "./mistakes/configuration.ts"
import { loadingMistakes } from "./mistakes/loading.ts"
import { publicUrlMistakes } from "./mistakes/public-url.ts"
import {
  createConfigFiles,
  sqlImport,
  tenantidpImport,
  validEnvironment,
} from "./support/config-mistake.ts"
import { createFolder, runDoctor, runLatchkey, runLatchkeyProcess } from "./support/run-latchkey.ts"

const mistakes = [
  ...configurationMistakes,
  ...publicUrlMistakes,
  ...adapterMistakes,
  ...loadingMistakes,
]

describe("latchkey doctor finds only", () => {
  test.each(mistakes)(
    "$mistake",
    async ({ args = [], expected, alsoExpected = [], ...setting }) => {
      const [level, code, what, fix] = expected

      const { status, findings } = await runDoctor(setting, args)

      const problems = findings.filter((finding) => !["good", "skipped"].includes(finding.level))
      expect(problems).toContainEqual({
        level,
        code,
        what: expect.stringMatching(what),
        fix: expect.stringMatching(fix),
      })
      expect(problems.map((fault) => fault.code).sort()).toEqual([code, ...alsoExpected].sort())
      expect(status).toBe(problems.some((fault) => fault.level === "error") ? 1 : 0)
    },
  )

  test("there are at least 40 mistakes, each with its own name", () => {
    expect(new Set(mistakes.map(({ mistake }) => mistake)).size).toBe(mistakes.length)
    expect(mistakes.length).toBeGreaterThanOrEqual(40)
  })
})

describe("latchkey doctor", () => {
  test("says that only a provider is left out, and still sends requests", async () => {
    const files = createConfigFiles(
      'providers: [tenantidp({ issuer: "https://id.example.com", clientSecret: "s" })]',
      tenantidpImport,
    )

    const { status, findings } = await runDoctor({ files, env: validEnvironment })

    expect(status).toBe(1)
    expect(findings.filter(({ level }) => level !== "good" && level !== "skipped")).toEqual([
      {
        level: "error",
        code: "MissingClientId",
        what: expect.stringMatching(/tenantidp\.clientId.*The provider is left out/),
        fix: expect.stringMatching(/AUTH_TENANTIDP_ID/),
      },
    ])
  })

  test("finds no problem in a valid configuration", async () => {
    const files = createConfigFiles(
      `providers: [tenantidp({ clientId: "app", clientSecret: "s", issuer: "https://id.example.com" })],
      adapter: SqlAdapter(database)`,
      `${tenantidpImport}${sqlImport}await migrate(database)`,
    )

    const { status, findings } = await runDoctor({ files, env: validEnvironment })

    expect(status).toBe(0)
    expect(findings.map(({ level, code }) => `${level} ${code}`)).toEqual([
      "good configuration",
      "good adapter",
      "skipped discovery",
      "skipped application",
      "good callback-url",
    ])
    expect(findings.at(-1)?.what).toContain("http://localhost:3000/auth/callback/tenantidp")
  })

  test("reports all problems of a configuration at once", async () => {
    const folder = createFolder(
      createConfigFiles('secret: "short", basePath: "auth", pages: { error: "oops" }'),
    )

    const { status, out } = await runLatchkey(["doctor"], folder)

    expect(status).toBe(1)
    expect(out).toMatch(/✗ .*\[WeakSecret\]\n {2}→ /)
    expect(out).toContain("basePath")
    expect(out).toContain("pages.error")
    expect(out).toMatch(
      /auth\.mjs: 3 errors, no warnings, 1 check skipped\nProduction was not checked/,
    )
  })

  test("reads a TypeScript file and a configuration function", async () => {
    const files = {
      "src/lib/auth.ts":
        "type Event = { env: { get(name: string): string | undefined } }\n" +
        'export default ({ env }: Event) => ({ providers: [], secret: env.get("MY_SECRET") })\n',
    }

    const { findings } = await runDoctor({
      files,
      env: { MY_SECRET: validEnvironment["AUTH_SECRET"] ?? "" },
    })

    expect(findings.filter(({ level }) => level === "error")).toEqual([])
  })

  test("checks a configuration that loads in development only", async () => {
    const files = {
      "auth.mjs":
        'if (process.env.NODE_ENV !== "development") throw new Error("Add a provider.")\nexport default { providers: [] }\n',
    }
    const env = { ...validEnvironment, NODE_ENV: "" }
    expect((await runDoctor({ files, env })).status).toBe(1)
    expect((await runDoctor({ files, env }, ["--development"])).status).toBe(0)
  })

  test("reads variables from the .env file, but the environment takes precedence", async () => {
    const files = { ...createConfigFiles(""), ".env": "AUTH_SECRET=short\n" }

    expect((await runDoctor({ files })).findings[0]?.code).toBe("WeakSecret")
    expect((await runDoctor({ files, env: validEnvironment })).status).toBe(0)
  })

  test.each([
    ["sveltekit", { "@latchkey/sveltekit": "1" }, "development.local"],
    ["solid-start", { "@latchkey/solid-start": "1" }, "development.local"],
    ["solid-start 1", { "@latchkey/solid-start": "1", vinxi: "1" }, "env"],
    ["qwik", { "@latchkey/qwik": "1" }, "ssr.local"],
    ["express", { "@latchkey/express": "1" }, "env"],
  ])("reads the files that the development server of %s reads", async (_, dependencies, path) => {
    const names = ["local", "development", "development.local", "ssr", "ssr.local"]
    const envFiles = names.map((name) => [`.env.${name}`, `AUTH_URL=http://localhost:3000/${name}`])
    const files = {
      ...createConfigFiles(
        'providers: [{ id: "x", type: "oidc", issuer: "https://id.example.com", clientId: "x" }]',
      ),
      ".env": `AUTH_URL=http://localhost:3000/env\nAUTH_SECRET=${validEnvironment["AUTH_SECRET"]}\n`,
      ...Object.fromEntries(envFiles),
      "package.json": JSON.stringify({ type: "module", dependencies }),
    }
    const findUrls = async (args: string[]) =>
      (await runDoctor({ files }, args)).findings.map(({ what }) => what).join("\n")

    expect(await findUrls([])).toContain(`http://localhost:3000/${path}/callback/x`)
    expect(await findUrls(["--production"])).toContain("http://localhost:3000/env/callback/x")
    expect(await findUrls(["--env", ".env.local"])).not.toContain("/env/callback/x")
  })

  test.each([
    ["good", "", 0],
    ["bad", 'basePath: "auth"', 1],
  ])("exits although a %s configuration keeps the process alive", async (_, fields, status) => {
    // Long enough not to fit into the buffer of a pipe.
    const pages = `pages: { error: "${"oops".repeat(50_000)}" }`
    const files = createConfigFiles(
      status === 0 ? fields : `${fields}, ${pages}`,
      "setInterval(() => undefined, 1000)",
    )

    const result = await runDoctor({ files, env: validEnvironment }, [], runLatchkeyProcess)

    expect(result.status).toBe(status)
    expect(result.findings.length).toBeGreaterThan(0)
  })

  test("finds a package that a provider needs and the application lacks", async () => {
    const files = {
      "auth.mjs": 'export default { providers: [{ id: "key", type: "webauthn" }] }\n',
    }
    const folder = createFolder(files, tmpdir())

    const { out } = await runLatchkey(["doctor", "--json"], folder, validEnvironment)

    expect(JSON.parse(out).findings).toContainEqual({
      level: "error",
      code: "package-missing",
      what: "The provider key needs the package @simplewebauthn/server, which is not installed.",
      fix: "npm install @simplewebauthn/server@14",
    })
    expect(
      (await runLatchkey(["doctor"], createFolder(files), validEnvironment)).out,
    ).not.toContain("npm install")
  })

  test.each([
    ["9.1.1", true],
    ["10.1.2", true],
    ["10.1.4", false],
    ["10.10.0", false],
    ["11.0.0", false],
  ])("finds a nodemailer that misreads addresses: %s (%s)", async (version, isOld) => {
    const email = '{ id: "nodemailer", type: "email", server: "smtp://localhost" }'
    const folder = createFolder(
      {
        "auth.mjs": `export default { providers: [${email}] }\n`,
        "node_modules/nodemailer/package.json": JSON.stringify({ version }),
      },
      tmpdir(),
    )

    const { out } = await runLatchkey(["doctor", "--json"], folder, validEnvironment)

    expect(out.includes("package-outdated")).toBe(isOld)
    expect(out.includes(`nodemailer ${version} misreads`)).toBe(isOld)
  })

  test("says first that AUTH_URL has no scheme, and not what follows from it", async () => {
    const folder = createFolder(createConfigFiles(""))

    const { out } = await runLatchkey(["doctor"], folder, { AUTH_URL: "localhost:3300" })

    expect(out).toMatch(/^✗ AUTH_URL must be an http\(s\) URL, received localhost:3300\./)
    expect(out).toContain("[MissingSecret]")
    expect(out).not.toMatch(/UntrustedHost|basePath/)
  })

  test.each<[string, Record<string, string>, copies: string[]]>([
    [
      "a framework package",
      { "node_modules/@latchkey/express": "0.1.0" },
      ["node_modules/@latchkey/express"],
    ],
    [
      "an adapter of others, which is not the first",
      { "node_modules/other": "", "node_modules/adapter": "0.2.0" },
      ["node_modules/adapter"],
    ],
    [
      "a package of the workspace",
      { "packages/auth": "0.1.0", "node_modules/x": "0.3.0" },
      ["node_modules/x", "packages/auth"],
    ],
    ["nothing", { "node_modules/other": "" }, []],
  ])("lists the copies of the core that %s brings", async (_, packages, expected) => {
    const folders = Object.entries(packages)
    const manifest = (version: string) =>
      JSON.stringify({ version, dependencies: { "@latchkey/core": version } })
    const copies = folders.filter(([, version]) => version !== "")
    const folder = createFolder({
      ...createConfigFiles(""),
      "package.json": JSON.stringify({
        dependencies: Object.fromEntries(
          folders.map(([path]) => [path.replace(/^\w+\//, ""), "*"]),
        ),
      }),
      ...Object.fromEntries(
        folders.map(([path, version]) => [
          `${path}/package.json`,
          version === "" ? "{}" : manifest(version),
        ]),
      ),
      ...Object.fromEntries(
        copies.map(([path, version]) => [
          `${path}/node_modules/@latchkey/core/package.json`,
          JSON.stringify({ version }),
        ]),
      ),
    })
    for (const [path] of folders.filter(([path]) => path.startsWith("packages/"))) {
      mkdirSync(join(folder, "node_modules"), { recursive: true })
      symlinkSync(join(folder, path), join(folder, path.replace("packages", "node_modules")))
    }

    const { out } = await runLatchkey(["doctor", "--json"], folder, validEnvironment)

    const findings: { code: string; what: string }[] = JSON.parse(out).findings
    const found = findings.filter(({ code }) => code === "core-copies")
    expect(found.length).toBe(expected.length > 0 ? 1 : 0)
    for (const path of expected)
      expect(found[0]?.what).toContain(`${packages[path]} in ${path}/node_modules/@latchkey/core`)
  })

  test("prints no secrets", async () => {
    const secrets = ["short-secret-7", "client-secret-7", "smtp-password-7"]
    const files = createConfigFiles(
      `secret: "${secrets[0]}", providers: [tenantidp({ clientSecret: "${secrets[1]}" }),
      nodemailer({ server: "smtp://me:${secrets[2]}@127.0.0.1:1" })]`,
      `${tenantidpImport}import nodemailer from "@latchkey/core/providers/nodemailer"`,
    )

    const { findings } = await runDoctor({ files }, ["--online"])

    expect(findings.length).toBeGreaterThan(3)
    for (const secret of secrets) expect(JSON.stringify(findings)).not.toContain(secret)
  })
})
