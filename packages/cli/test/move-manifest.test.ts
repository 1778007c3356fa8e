import { readFileSync } from "node:fs"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { moveManifest } from "../src/move/manifest.ts"
import { moveProject } from "../src/move/move-project.ts"
import { findOldestVersion, isOlder } from "../src/move/required-versions.ts"
import { applyEdits } from "../src/move/text-edits.ts"

const versions = { latchkey: "^0.1.0", authCore: "^0.41.3" }

/** Returns the dependencies of a manifest after the move, in the order of the text. */
function move(dependencies: object, imported: readonly string[] = [], section = "dependencies") {
  const text = JSON.stringify({ name: "app", [section]: dependencies, private: true }, null, 2)
  const moves = moveManifest(ts, { path: "package.json", text }, new Set(imported), versions)
  const { name: _, private: __, ...manifest } = JSON.parse(applyEdits(text, moves.edits))
  return { manifest, advice: moves.advice.map((item) => item.text) }
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
      { path: "web/package.json", text: listing("@auth/core", "next-auth") },
      { path: "web/auth.ts", text: source },
    ]
    const moves = moveProject(files, tools, versions)
    expect(moves.map(({ path, edits }) => [path, edits.length > 0])).toEqual([
      ["scripts/a.ts", true],
      ["package.json", true],
      ["web/package.json", false],
    ])
    expect(moves.at(-1)?.advice[0]?.text).toContain("next-auth is built on Auth.js")
  })

  test("packages are added to the nearest manifest that lists Auth.js", () => {
    const files = [
      { path: "package.json", text: listing("@auth/express") },
      { path: "apps/a/package.json", text: listing("express") },
      { path: "apps/a/auth.ts", text: source },
    ]
    const [, manifest] = moveProject(files, tools, versions)
    expect(manifest?.path).toBe("package.json")
    expect(applyEdits(manifest?.text ?? "", manifest?.edits ?? [])).toContain('"@latchkey/core"')
  })
})

describe("the oldest versions", () => {
  test.each([
    ["2.8.3", "2.63.0", true],
    ["^1", "2.0.0", true],
    ["^2.63.0", "2.63.0", false],
    ["~3.0.1", "2.63.0", false],
    ["latest", "2.63.0", false],
    ["workspace:*", "2.63.0", false],
    [">=2 <4", "2.63.0", false],
  ])("%s is older than %s: %s", (range, oldest, expected) => {
    expect(isOlder(range, oldest)).toBe(expected)
  })

  test.each([
    ["qwik", "@builder.io/qwik"],
    ["qwik", "@builder.io/qwik-city"],
    ["sveltekit", "@sveltejs/kit"],
    ["sveltekit", "svelte"],
  ])("of @latchkey/%s are those of its peers: %s", (name, peer) => {
    const manifest = new URL(`../../${name}/package.json`, import.meta.url)
    const { peerDependencies } = JSON.parse(readFileSync(manifest, "utf8"))
    const oldest = findOldestVersion(`@auth/${name}`, peer)
    expect(peerDependencies[peer].split(" || ")[0]).toBe(`^${oldest}`)
  })
})
