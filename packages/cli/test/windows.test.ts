/** The rules of Windows for paths, line breaks, byte order marks, and shells. */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { findUnknownEntry } from "../src/doctor/unknown-entry.ts"
import { frameworks } from "../src/init/framework.ts"
import { readProject } from "../src/init/project.ts"
import { moveProject } from "../src/move/move-project.ts"
import { replaceProjectFile } from "../src/move/project-files.ts"
import { createFolder, runLatchkey } from "./support/run-latchkey.ts"
import { simulateWindowsPaths } from "./support/windows.ts"

const toCrlf = (text: string) => text.replaceAll("\n", "\r\n")
/** Removes the line breaks of Windows, after which a text must have no others. */
const withoutCrlf = (text: string) => text.replaceAll("\r\n", "")

const secret = 'AUTH_SECRET="6tGCXJ3bIZQHwvvSE6vyRBDhTyUOdnkSqzvzuSeBIyk="\n'
const express = {
  "package.json": `{\n  "name": "shop",\n  "type": "module",\n  "dependencies": { "express": "^5.1.0" }\n}\n`,
  "server.js": 'import express from "express"\n',
}

function createProject(files: Record<string, string>): string {
  return createFolder(files, tmpdir())
}

describe("paths", () => {
  test.each(frameworks.map(({ name }) => name))(
    "a new application for %s is the same",
    async (name) => {
      const folder = createProject({})
      const plan = async () => {
        const { createPlan } = await import("../src/init/plan.ts")
        const { findFramework } = await import("../src/init/framework.ts")
        const framework = findFramework(name)
        if (!framework) throw new Error(name)
        return createPlan({ ...readProject(folder), folder }, framework, { nodeVersion: "24.0.0" })
      }
      const expected = await plan()
      simulateWindowsPaths()
      expect(await plan()).toEqual(expected)
    },
  )

  test("a new application is created in a folder below this one", async () => {
    const folder = createProject({})
    simulateWindowsPaths()
    const { runInitCommand } = await import("../src/init/init.ts")
    const output: string[] = []
    const print = (text: string) => void output.push(text)
    const command = { folder: "shops\\my shop", framework: "hono", yes: true, install: false }
    expect(await runInitCommand(command, { out: print, err: print }, folder)).toBe(0)
    expect(output.join("\n")).toContain('cd "shops/my shop"')
    expect(readFileSync(`${folder}/shops/my shop/.env`, "utf8")).toContain("AUTH_SECRET=")
    expect(existsSync(`${folder}/shops/my shop/public/style.css`)).toBe(true)
  })

  test("files that Windows adds to folders are of no application", () => {
    const folder = createProject({ "desktop.ini": "", "Thumbs.db": "" })
    expect(readProject(folder).frameworks).toEqual([])
  })

  test("a file that cannot be replaced, as while a program has it open, leaves no other behind", () => {
    const folder = createProject({ "src/auth.ts": "" })
    expect(() => replaceProjectFile(folder, "src", "")).toThrow("src cannot be written")
    expect(readdirSync(folder)).toEqual(["src"])
  })

  test.each([false, true])(
    "the sources of an application have slashes (Git: %s)",
    async (usesGit) => {
      const folder = createProject({ "src/routes/auth/[...auth].ts": "", "src/app.tsx": "" })
      if (usesGit) execFileSync("git", ["init", "--quiet"], { cwd: folder })
      simulateWindowsPaths()
      const { findProjectFiles } = await import("../src/move/project-files.ts")
      expect(findProjectFiles(folder)).toEqual(["src/app.tsx", "src/routes/auth/[...auth].ts"])
    },
  )

  test("tarballs are named by a path with slashes, as npm, pnpm and Yarn read it", async () => {
    const [framework] = frameworks
    if (!framework) throw new Error("There is no framework.")
    const names = [...framework.dependencies, ...framework.devDependencies]
    const inner = ["adapter-kit", "client", "pages"].map((name) => `@latchkey/${name}`)
    const files = [...names, ...inner].map((name) => `${name.slice(1).replace("/", "-")}.tgz`)
    const folder = createProject(Object.fromEntries(files.map((file) => [file, ""])))
    simulateWindowsPaths()
    const { readTarballs } = await import("../src/init/latchkey-packages.ts")
    expect(readTarballs(folder, framework).ranges("@latchkey/core")).toBe(
      `file:${folder}/latchkey-core.tgz`,
    )
  })

  test.each([
    [
      "Package subpath './adapter' is not defined by \"exports\" in C:\\shop\\node_modules\\@latchkey\\core\\package.json imported from C:\\shop\\auth.ts",
      "@latchkey/core/adapter",
    ],
    [
      "Cannot find module 'C:\\shop\\node_modules\\@latchkey\\core\\dist\\providers\\catalogue\\git-hub.js' imported from C:\\shop\\auth.ts",
      "@latchkey/core/providers/git-hub",
    ],
    ["Cannot find module 'C:\\shop\\users.ts' imported from C:\\shop\\auth.ts", undefined],
  ])("the doctor reads %s", (message, entry) => {
    expect(findUnknownEntry(`ERR_MODULE_NOT_FOUND ${message}`)).toBe(entry)
  })

  test("a script may name the file of variables with a backslash", async () => {
    const scripts = { start: "node --env-file=.\\.env server.js" }
    const files = { "package.json": JSON.stringify({ scripts }), ".env": secret }
    const { out } = await runLatchkey(["doctor"], createProject(files))
    expect(out).not.toContain("env-file-unread")
  })
})

describe("line breaks", () => {
  test("latchkey init keeps those of the files that it extends", async () => {
    const files = { ...express, ".gitignore": "node_modules\n", ".env": "PORT=3000" }
    const crlf = Object.entries(files).map(([path, text]) => [path, toCrlf(text)] as const)
    const folder = createProject({ ...Object.fromEntries(crlf), ".env": "A=1\r\nPORT=3000" })
    const { status } = await runLatchkey(["init", "--no-install", "--yes"], folder)
    expect(status).toBe(0)
    for (const path of ["package.json", ".gitignore", ".env"]) {
      const text = readFileSync(join(folder, path), "utf8")
      expect(text).toMatch(/@latchkey\/core|\.env\.local|AUTH_SECRET/)
      expect(withoutCrlf(text), path).not.toMatch(/[\r\n]/)
    }
  })

  test("a file of a template that Git has converted is no other file", async () => {
    const folder = createProject({ ".env.development": "NODE_ENV=development\r\n" })
    const { out } = await runLatchkey(
      ["init", "--no-install", "--yes", "--framework", "express"],
      folder,
    )
    expect(out).not.toContain("is left as it is")
  })

  test.each([
    [
      "a property",
      "auth-astro",
      'import { defineConfig } from "auth-astro"\nexport default defineConfig({\n  providers: [],\n})\n',
    ],
    [
      "an augmentation",
      "@auth/core",
      'import { Auth } from "@auth/core"\ndeclare module "@auth/core/types" {\n  interface Session {\n    role: string\n  }\n}\nAuth(request, { providers: [] })\n',
    ],
    [
      "a comment",
      "@sidebase/nuxt-auth",
      'import GithubProvider from "next-auth/providers/github"\nimport { NuxtAuthHandler } from "#auth"\nexport default NuxtAuthHandler({\n  providers: [\n    // @ts-expect-error\n    GithubProvider.default({}),\n  ],\n})\n',
    ],
  ])("latchkey move keeps them beside %s", (_, library, text) => {
    const dependencies = { [library]: "1.0.0", "@auth/pg-adapter": "1.0.0" }
    const tools = {
      ts,
      replaceableProviders: new Set(["github"]),
      qwikModule: "@builder.io/qwik",
    } as const
    const move = (convert: (text: string) => string) =>
      moveProject(
        [
          { path: "package.json", text: convert(`${JSON.stringify({ dependencies }, null, 2)}\n`) },
          { path: "server/api/auth/[...].ts", text: convert(text) },
        ],
        tools,
        { latchkey: "^1.0.0", authCore: "^0.41.0" },
      )
    const moved = move(toCrlf).filter(({ isNew }) => !isNew)
    expect(moved.map(({ after }) => after)).toEqual(
      move((each) => each)
        .filter(({ isNew }) => !isNew)
        .map(({ after }) => toCrlf(after)),
    )
    expect(moved.find(({ path }) => path.endsWith(".ts"))?.after).not.toBe(toCrlf(text))
  })
})

describe("byte order marks", () => {
  const bom = "\uFEFF"

  test("package.json keeps its own", async () => {
    const folder = createProject({ ...express, "package.json": bom + express["package.json"] })
    const { status, err } = await runLatchkey(["init", "--no-install", "--yes"], folder)
    expect([status, err]).toEqual([0, ""])
    const text = readFileSync(join(folder, "package.json"), "utf8")
    expect(text.startsWith(`${bom}{`)).toBe(true)
    expect(JSON.parse(text.slice(1)).dependencies).toHaveProperty("@latchkey/express")
  })

  test("a secret behind one is not replaced", async () => {
    const folder = createFolder({ ".env": bom + secret })
    const { status, err } = await runLatchkey(["secret", "--write"], folder)
    expect([status, err]).toEqual([1, expect.stringContaining("already has AUTH_SECRET")])
  })

  test("the doctor says that Node.js does not read what is behind one", async () => {
    const files = { ".env": bom + secret, "auth.mjs": "export default { providers: [] }\n" }
    const { status, out } = await runLatchkey(["doctor"], createFolder(files))
    expect(status).toBe(1)
    expect(out).toContain("part of the name AUTH_SECRET")
    expect(out).not.toContain("MissingSecret")
  })

  test("a file in UTF-16, as PowerShell writes it, is not extended", async () => {
    const folder = createFolder({})
    const before = Buffer.from(`${bom}PORT=3000\r\n`, "utf16le")
    writeFileSync(join(folder, ".env"), before)
    const { status, err } = await runLatchkey(["secret", "--write"], folder)
    expect([status, err]).toEqual([1, expect.stringContaining(".env is UTF-16")])
    expect(readFileSync(join(folder, ".env"))).toEqual(before)
  })
})
