import { tmpdir } from "node:os"
import { describe, expect, test } from "vitest"
import { adapterSeeds } from "./seeds/adapter.ts"
import { addressSeeds } from "./seeds/address.ts"
import { configurationSeeds } from "./seeds/configuration.ts"
import { loadingSeeds } from "./seeds/loading.ts"
import { diagnose, folderWith, latchkey } from "./support/latchkey.ts"
import { config, sql, tenantidp, wellSet } from "./support/seed.ts"

const seeds = [...configurationSeeds, ...addressSeeds, ...adapterSeeds, ...loadingSeeds]

describe("latchkey doctor finds, among nothing else that is wrong,", () => {
  test.each(seeds)("$mistake", async ({ args = [], finds, also = [], ...setting }) => {
    const [level, code, what, fix] = finds

    const { status, findings } = await diagnose(setting, args)

    const faults = findings.filter((finding) => !["good", "skipped"].includes(finding.level))
    expect(faults).toContainEqual({
      level,
      code,
      what: expect.stringMatching(what),
      fix: expect.stringMatching(fix),
    })
    expect(faults.map((fault) => fault.code).sort()).toEqual([code, ...also].sort())
    expect(status).toBe(faults.some((fault) => fault.level === "error") ? 1 : 0)
  })

  test("more than forty mistakes are seeded, and each of them once", () => {
    expect(new Set(seeds.map(({ mistake }) => mistake)).size).toBe(seeds.length)
    expect(seeds.length).toBeGreaterThanOrEqual(40)
  })
})

describe("latchkey doctor", () => {
  test("finds nothing wrong where nothing is", async () => {
    const files = config(
      `providers: [tenantidp({ clientId: "app", clientSecret: "s", issuer: "https://id.example.com" })],
      adapter: SqlAdapter(database)`,
      `${tenantidp}${sql}await migrate(database)`,
    )

    const { status, findings } = await diagnose({ files, env: wellSet })

    expect(status).toBe(0)
    expect(findings.map(({ level, code }) => `${level} ${code}`)).toEqual([
      "good configuration",
      "good address",
      "good adapter",
      "skipped discovery",
      "good callback-url",
    ])
    expect(findings.at(-1)?.what).toContain("http://localhost:3000/auth/callback/tenantidp")
  })

  test("reports all mistakes of a configuration at once, for people", async () => {
    const folder = folderWith(config('secret: "short", basePath: "auth", pages: { error: "oops" }'))

    const { status, out } = await latchkey(["doctor"], folder)

    expect(status).toBe(1)
    expect(out).toMatch(/✗ .*\[WeakSecret\]\n {2}→ /)
    expect(out).toContain("basePath")
    expect(out).toContain("pages.error")
    expect(out).toMatch(/auth\.mjs: 3 errors, no warnings\n$/)
  })

  test("reads a TypeScript file and a function of the request", async () => {
    const files = {
      "src/lib/auth.ts":
        "type Event = { env: { get(name: string): string | undefined } }\n" +
        'export default ({ env }: Event) => ({ providers: [], secret: env.get("MY_SECRET") })\n',
    }

    const { findings } = await diagnose({ files, env: { MY_SECRET: wellSet["AUTH_SECRET"] ?? "" } })

    expect(findings.filter(({ level }) => level === "error")).toEqual([])
  })

  test("reads variables from the .env file, but those of the environment go first", async () => {
    const files = { ...config(""), ".env": "AUTH_SECRET=short\n" }

    expect((await diagnose({ files })).findings[0]?.code).toBe("WeakSecret")
    expect((await diagnose({ files, env: wellSet })).status).toBe(0)
  })

  test.each([
    ["good", "", 0],
    ["bad", 'basePath: "auth"', 1],
  ])("ends by itself where a %s configuration would run on", async (_, fields, status) => {
    // Long enough for the answer not to fit into the buffer of a pipe.
    const pages = `pages: { error: "${"oops".repeat(50_000)}" }`
    const files = config(
      status === 0 ? fields : `${fields}, ${pages}`,
      "setInterval(() => undefined, 1000)",
    )

    const diagnosis = await diagnose({ files, env: wellSet })

    expect(diagnosis.status).toBe(status)
    expect(diagnosis.findings.length).toBeGreaterThan(0)
  })

  test("finds a package that a provider needs and the application has not", async () => {
    const files = {
      "auth.mjs": 'export default { providers: [{ id: "key", type: "webauthn" }] }\n',
    }
    const elsewhere = folderWith(files, tmpdir())

    const { out } = await latchkey(["doctor", "--json"], elsewhere, wellSet)

    expect(JSON.parse(out).findings).toContainEqual({
      level: "error",
      code: "package-missing",
      what: "The provider key needs the package @simplewebauthn/server, which is not installed.",
      fix: "npm install @simplewebauthn/server@14",
    })
    expect((await latchkey(["doctor"], folderWith(files), wellSet)).out).not.toContain(
      "npm install",
    )
  })

  test("shows no secret, whatever it finds", async () => {
    const secrets = ["short-secret-7", "client-secret-7", "smtp-password-7"]
    const files = config(
      `secret: "${secrets[0]}", providers: [tenantidp({ clientSecret: "${secrets[1]}" }),
      nodemailer({ server: "smtp://me:${secrets[2]}@127.0.0.1:1" })]`,
      `${tenantidp}import nodemailer from "@latchkey/core/providers/nodemailer"`,
    )

    const { findings } = await diagnose({ files }, ["--online"])

    expect(findings.length).toBeGreaterThan(3)
    for (const secret of secrets) expect(JSON.stringify(findings)).not.toContain(secret)
  })
})
