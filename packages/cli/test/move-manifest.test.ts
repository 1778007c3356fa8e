import { readFileSync } from "node:fs"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { listProjectPackages, moveManifest } from "../src/move/manifest.ts"
import { finishSource, moveProject } from "../src/move/move-project.ts"
import { findRequiredVersion, isOlder, mayBeOlder } from "../src/move/required-versions.ts"

const versions = { latchkey: "^0.1.0", authCore: "^0.41.3" }

/** Returns a manifest after the move, and what to check. */
function moveFile(content: object | string, imported: readonly string[] = []) {
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2)
  const file = { path: "package.json", text }
  const move = moveManifest(file, new Set(imported), listProjectPackages([file]), versions)
  return { ...move, advice: move.advice.map((item) => item.text) }
}

/** Returns the dependencies of a manifest after the move, in the order of the text. */
function move(dependencies: object, imported: readonly string[] = [], section = "dependencies") {
  const moved = moveFile({ name: "app", [section]: dependencies, private: true }, imported)
  const { name: _, private: __, ...manifest } = JSON.parse(moved.after)
  return { ...moved, manifest }
}

describe("package.json", () => {
  test("packages are replaced where they are listed, and adapters stay", () => {
    const before = {
      "@auth/express": "^0.12.0",
      "@auth/core": "latest",
      "@auth/pg-adapter": "^1.0.0",
    }
    expect(move(before, ["@latchkey/express", "@latchkey/core"]).manifest).toEqual({
      dependencies: {
        "@latchkey/express": "^0.1.0",
        "@latchkey/core": "^0.1.0",
        "@auth/pg-adapter": "^1.0.0",
      },
    })
  })

  test("packages that the sources import are listed, once", () => {
    const imported = ["@latchkey/express", "@latchkey/core", "@auth/core"]
    const added = { "@latchkey/express": "^0.1.0", "@latchkey/core": "^0.1.0" }
    expect(move({ "@auth/express": "^0.12.0" }, imported).manifest).toEqual({
      dependencies: { ...added, "@auth/core": "^0.41.3" },
    })
    const listed = { "@auth/express": "^0.12.0", "@auth/core": "^0.40.0" }
    const { manifest } = move(listed, imported)
    expect(manifest).toEqual({ dependencies: { ...added, "@auth/core": "^0.40.0" } })
    expect(move(manifest.dependencies, imported).manifest).toEqual(manifest)
  })

  test("a package that stays has ours beside it", () => {
    expect(move({ "@auth/core": "^0.41.0" }, ["@latchkey/core", "@auth/core"]).manifest).toEqual({
      dependencies: { "@auth/core": "^0.41.0", "@latchkey/core": "^0.1.0" },
    })
  })

  test("what a built Qwik application imports is a dependency", () => {
    expect(
      move({ "@auth/qwik": "^0.9.0" }, ["@latchkey/qwik"], "devDependencies").manifest,
    ).toEqual({
      dependencies: { "@latchkey/core": "^0.1.0" },
      devDependencies: { "@latchkey/qwik": "^0.1.0" },
    })
  })

  test("a mailer that npm would refuse beside Latchkey is raised, and listed", () => {
    const { manifest, advice } = move({ "@auth/sveltekit": "^1.11.0", nodemailer: "^6.9.16" })
    expect(manifest.dependencies).toMatchObject({ nodemailer: "^7.0.7" })
    expect(advice).toEqual([expect.stringContaining("nodemailer ^6.9.16 becomes ^7.0.7")])
  })

  test("@auth/core, a framework package and an old mailer change once each", () => {
    const before = { "@auth/core": "^0.37.0", "@auth/express": "^0.12.0", nodemailer: "^6.9.16" }
    const after = {
      "@latchkey/core": "^0.1.0",
      "@latchkey/express": "^0.1.0",
      nodemailer: "^7.0.7",
    }
    expect(move(before, ["@latchkey/core", "@latchkey/express"]).manifest).toEqual({
      dependencies: after,
    })
    const optional = { "@auth/core": { optional: true } }
    const library = { peerDependencies: before, peerDependenciesMeta: optional }
    expect(JSON.parse(moveFile(library).after)).toEqual({
      peerDependencies: after,
      peerDependenciesMeta: { "@latchkey/core": { optional: true } },
    })
  })

  test.each([
    ["^1.10.0", "@auth/pg-adapter", "^1.11.1"],
    ["1.0.0", "@auth/prisma-adapter", "^2.11.1"],
    ["^3.1.0", "@auth/mongodb-adapter", "^3.11.1"],
    ["^0.40.0", "@auth/core", "^0.41.1"],
    ["^1.11.2", "@auth/pg-adapter", "^1.11.2"],
  ])("%s of %s, which stays, becomes %s beside nodemailer", (range, name, expected) => {
    const before = { "@auth/express": "^0.12.0", [name]: range, nodemailer: "^6.9.16" }
    const { manifest, advice } = move(before, ["@auth/core"])
    expect(manifest.dependencies).toMatchObject({ [name]: expected })
    expect(advice).toHaveLength(range === expected ? 1 : 2)
    const withoutMailer = move({ "@auth/express": "^0.12.0", [name]: range }, ["@auth/core"])
    expect(withoutMailer.manifest.dependencies).toMatchObject({ [name]: range })
  })

  test("@auth/core is added in a version that accepts the mailer", () => {
    const text = `{ "dependencies": { "@auth/express": "^0.12.0", "nodemailer": "^6.8.0" } }`
    const packages = { listed: ["@auth/express", "nodemailer"], replaced: ["@auth/express"] }
    const old = { ...versions, authCore: "^0.40.0" }
    const { after } = moveManifest(
      { path: "package.json", text },
      new Set(["@auth/core"]),
      packages,
      old,
    )
    expect(JSON.parse(after).dependencies).toMatchObject({ "@auth/core": "^0.41.1" })
  })

  test.each([
    { overrides: { nodemailer: "^6.9.16" } },
    { overrides: { "@auth/core": { nodemailer: "6.9.16" } } },
    { overrides: { nodemailer: { ".": "^6.9.16", ms: "2.0.0" } } },
    { pnpm: { overrides: { "@auth/core>nodemailer@6": "^6.9.16" } } },
    { resolutions: { "**/nodemailer": "~6.9.0", "@auth/core/nodemailer": "^6.9.16" } },
  ])("versions that replace others are raised: %j", (overrides) => {
    const dependencies = { "@auth/express": "^0.12.0", nodemailer: "^6.9.16" }
    const { after, advice } = moveFile({ dependencies, ...overrides })
    expect(after).not.toMatch(/["^~]6\.\d/)
    expect(JSON.parse(after)).toMatchObject(
      JSON.parse(JSON.stringify(overrides).replaceAll(/"[~^]?6\.9\.\d+"/g, '"^7.0.7"')),
    )
    expect(advice.length).toBeGreaterThan(1)
  })

  test("a reference to a version that is gone becomes that version", () => {
    const overrides = { "@auth/core": "$@auth/core", nodemailer: "$nodemailer" }
    const dependencies = { "@auth/core": "0.41.0", "@auth/pg-adapter": "^1.11.0" }
    expect(JSON.parse(moveFile({ dependencies, overrides }).after).overrides).toEqual({
      ...overrides,
      "@auth/core": "0.41.0",
    })
  })

  test("versions that may be too old are listed", () => {
    const ranges = { "@auth/sveltekit": "^1.11.0", svelte: "catalog:", nodemailer: ">=6" }
    const { manifest, advice, needsUpdate } = move(ranges)
    expect(manifest.dependencies).toMatchObject({ svelte: "catalog:", nodemailer: ">=6" })
    expect(advice).toEqual([
      "svelte catalog: has to be 5.0.0 or newer, which @latchkey/sveltekit supports.",
      "nodemailer >=6 has to be 7.0.7 or newer, which @latchkey/core supports.",
    ])
    expect(needsUpdate).toBe(true)
  })

  test("what npm refuses beside @auth/core is listed", () => {
    const before = { "@auth/express": "^0.12.0", "@simplewebauthn/server": "^9.0.3" }
    expect(move(before, ["@auth/core"]).advice).toContainEqual(
      expect.stringContaining('"overrides"'),
    )
    expect(move(before).advice).not.toContainEqual(expect.stringContaining('"overrides"'))
  })

  test("what else is in the file keeps its formatting", () => {
    const before = `{\r\n\t"files": ["a", "b"],\r\n\t"dependencies": {\r\n\t\t"@auth/core": "^0.41.0"\r\n\t}\r\n}\r\n`
    expect(moveFile(before).after).toBe(
      before.replace("@auth", "@latchkey").replace("0.41.0", "0.1.0"),
    )
    expect(moveFile(`\uFEFF${before}`).after).toContain("@latchkey/core")
    expect(moveFile(`{ "dependencies": { "@auth/core": } }`).advice).toEqual([
      expect.stringContaining("not valid JSON"),
    ])
  })

  test("a package that is listed already is not listed twice", () => {
    const before = { "@auth/core": "^0.41.0", "@latchkey/core": "^0.1.0" }
    expect(moveFile({ dependencies: before }).after.match(/@latchkey\/core/g)).toHaveLength(1)
  })

  test("frameworks that are too old are raised, and listed", () => {
    const before = { "@auth/sveltekit": "^1.11.0", "@sveltejs/kit": "2.8.3", svelte: "^5.2.0" }
    const { manifest, advice } = move(before)
    expect(manifest.dependencies).toEqual({
      "@latchkey/sveltekit": "^0.1.0",
      "@sveltejs/kit": "^2.63.0",
      svelte: "^5.2.0",
    })
    expect(advice).toEqual([expect.stringContaining("@sveltejs/kit 2.8.3 becomes ^2.63.0")])
  })

  test("a version of Auth.js with other functions is listed", () => {
    expect(move({ "@auth/sveltekit": "^0.14.0" }).advice).toEqual([
      expect.stringContaining("`locals.getSession()` is `locals.auth()`"),
    ])
  })
})

describe("projects", () => {
  const source = `import GitHub from "@auth/core/providers/github"\n`
  const tools = {
    ts,
    replaceableProviders: new Set(["github"]),
    qwikModule: "@builder.io/qwik",
  } as const
  const listing = (...names: string[]) =>
    JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, "^1.0.0"])) })

  test("what is built on Auth.js keeps its modules", () => {
    const files = [
      { path: "package.json", text: listing("@auth/core") },
      { path: "scripts/a.ts", text: source },
      { path: "web/package.json", text: listing("@auth/core", "@convex-dev/auth") },
      { path: "web/auth.ts", text: source },
    ]
    const moves = moveProject(files, tools, versions)
    expect(moves.map(({ path, text, after }) => [path, after !== text])).toEqual([
      ["scripts/a.ts", true],
      ["package.json", true],
      ["web/package.json", false],
    ])
    expect(moves.at(-1)?.advice[0]?.text).toContain("@convex-dev/auth is built on Auth.js")
  })

  test.each([
    ["latest", "@latchkey/next/v4"],
    ["4.x", "@latchkey/next/v4"],
    ["beta", "@latchkey/next"],
    ["^5.0.0-beta.25", "@latchkey/next"],
  ])("next-auth %s becomes %s", (range, module) => {
    const files = [
      { path: "auth.ts", text: `import NextAuth from "next-auth"\n` },
      { path: "package.json", text: JSON.stringify({ dependencies: { "next-auth": range } }) },
    ]
    const [source] = moveProject(files, tools, versions)
    expect(source?.after).toBe(`import NextAuth from "${module}"\n`)
  })

  test("each package moves from its own version of next-auth", () => {
    const adapters = { "@next-auth/prisma-adapter": "^1.0.7" }
    const four = { dependencies: { next: "14.2.0", "next-auth": "^4.24.0", ...adapters } }
    const five = { dependencies: { next: "16.0.0", "next-auth": "5.0.0-beta.30" } }
    const text = `import NextAuth from "next-auth"\n`
    const files = [
      { path: "a/auth.ts", text },
      { path: "a/package.json", text: JSON.stringify(four) },
      { path: "b/auth.ts", text },
      { path: "b/package.json", text: JSON.stringify(five) },
    ]
    const moves = moveProject(files, tools, versions)
    const read = (path: string) => moves.find((move) => move.path === path)?.after ?? ""
    expect(read("a/auth.ts")).toBe(text.replace("next-auth", "@latchkey/next/v4"))
    expect(read("b/auth.ts")).toBe(text.replace("next-auth", "@latchkey/next"))
    expect(JSON.parse(read("a/package.json")).dependencies).toEqual({
      next: "^15.5.0",
      "@latchkey/next": versions.latchkey,
      "@auth/prisma-adapter": "^2.11.1",
    })
    expect(Object.keys(JSON.parse(read("b/package.json")).dependencies)).toEqual([
      "next",
      "@latchkey/next",
    ])
  })

  test("the overrides of a workspace are those of its root", () => {
    const app = { "@auth/express": "^0.12.0", nodemailer: "^6.9.16" }
    const yaml = `catalog:\n  nodemailer: ^6.9.16\n  "@auth/core": 0.41.3\n`
    const files = [
      { path: "package.json", text: `{ "overrides": { "nodemailer": "^6.9.16" } }` },
      { path: "apps/a/package.json", text: JSON.stringify({ dependencies: app }) },
      { path: "pnpm-workspace.yaml", text: yaml },
    ]
    const [root, , workspace] = moveProject(files, tools, versions)
    expect(root?.after).toBe(
      `{\n  "overrides": {\n    "nodemailer": "^7.0.7"\n  }\n}`.replaceAll(/\s+/g, " "),
    )
    expect(workspace?.advice).toEqual([
      { position: yaml.indexOf("  nodemailer"), text: expect.stringContaining("write ^7.0.7") },
    ])
  })

  test.each([{ "solid-start": "^0.3.0" }, { "@solidjs/start": "^0.7.0" }])(
    "SolidStart 0.x stops the move: %j",
    (framework) => {
      const dependencies = { "@auth/solid-start": "^0.19.0", ...framework }
      const files = [
        { path: "package.json", text: JSON.stringify({ dependencies }) },
        { path: "src/a.ts", text: source },
      ]
      expect(moveProject(files, tools, versions)).toEqual([
        {
          ...files[0],
          after: files[0]?.text,
          advice: [expect.objectContaining({ text: expect.stringContaining("SolidStart 0.x") })],
        },
      ])
    },
  )

  test("an adapter that stays keeps the augmentations of @auth/core", () => {
    const text = `declare module "@auth/core/types" { interface User { role?: string } }\n`
    const files = [
      { path: "package.json", text: listing("@auth/core", "@auth/pg-adapter") },
      { path: "src/auth.d.ts", text },
    ]
    const [types, manifest] = moveProject(files, tools, versions)
    expect(types?.after).toBe(`${text}\n${text.replace("@auth", "@latchkey")}`)
    expect(Object.keys(JSON.parse(manifest?.after ?? "").dependencies).sort()).toEqual([
      "@auth/core",
      "@auth/pg-adapter",
      "@latchkey/core",
    ])
  })

  test.each([
    [
      "overlap",
      [
        { start: 0, end: 6, text: "" },
        { start: 3, end: 9, text: "" },
      ],
    ],
    ["break a file", [{ start: 0, end: 6, text: "(" }]],
  ])("edits that %s are refused", (_, edits) => {
    const file = { path: "src/a.ts", text: source }
    expect(finishSource(file, { edits, advice: [] }, tools)).toEqual({
      ...file,
      after: source,
      advice: [{ position: 0, text: expect.stringContaining("would break the file") }],
    })
  })

  test("packages are added to the nearest manifest that lists Auth.js", () => {
    const files = [
      { path: "package.json", text: listing("@auth/express") },
      { path: "apps/a/package.json", text: listing("express") },
      { path: "apps/a/auth.ts", text: source },
    ]
    const [, manifest] = moveProject(files, tools, versions)
    expect(manifest?.path).toBe("package.json")
    expect(manifest?.after).toContain('"@latchkey/core"')
  })
})

describe("the oldest versions", () => {
  test.each([
    ["2.8.3", "2.63.0", true],
    ["^1", "2.0.0", true],
    ["^2.63.0", "2.63.0", false],
    ["~3.0.1", "2.63.0", false],
    ["2.x", "2.63.0", true],
    ["^1 || ^2.0.0", "2.63.0", true],
    ["latest", "2.63.0", false],
    ["workspace:*", "2.63.0", false],
    [">=2 <4", "2.63.0", false],
    ["20.19.0", "22.18", true],
  ])("%s is older than %s: %s", (range, oldest, expected) => {
    expect(isOlder(range, oldest)).toBe(expected)
  })

  test.each([
    [">=2 <4", true],
    ["*", true],
    ["latest", true],
    ["^3.0.0", false],
    [">=2.63.0", false],
  ])("%s may be older than 2.63.0: %s", (range, expected) => {
    expect(mayBeOlder(range, "2.63.0")).toBe(expected)
  })

  test.each([
    ["express", "express"],
    ["solid-start", "@solidjs/start"],
    ["solid-start", "solid-js"],
    ["core", "nodemailer"],
    ["core", "@simplewebauthn/server"],
    ["qwik", "@builder.io/qwik"],
    ["qwik", "@builder.io/qwik-city"],
    ["sveltekit", "@sveltejs/kit"],
    ["sveltekit", "svelte"],
  ])("of @latchkey/%s are those of its peers: %s", (name, peer) => {
    const manifest = new URL(`../../${name}/package.json`, import.meta.url)
    const { peerDependencies } = JSON.parse(readFileSync(manifest, "utf8"))
    const replaced = [`@auth/${name}`]
    const { oldest } = findRequiredVersion(peer, { listed: replaced, replaced }) ?? {}
    expect(peerDependencies[peer].split(" || ")[0]).toBe(`^${oldest}`)
  })
})
