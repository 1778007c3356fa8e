/** The core bundled for no platform in particular: nothing of Node in it, and it works with web APIs alone. */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { encode } from "@latchkey/core/jwt"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { type BuildResult, build } from "esbuild"
import { beforeAll, describe, expect, onTestFinished, test } from "vitest"
import {
  passwordProvider,
  siteOrigin,
  testSiteSecret,
  validCredentials,
} from "../support/test-site.ts"

/** The published files, and the sources. */
const variants: [string, string[]][] = [
  ["as published", []],
  ["from its sources", ["@latchkey/source"]],
]

const sessionCookie = "__Secure-authjs.session-token"

/** Bundles an entry with these exports of the core. */
function buildBundle(contents: string, conditions: string[], external: string[] = []) {
  return build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    conditions,
    external,
    logLevel: "silent",
  })
}

function readOutput({ outputFiles: [file] = [] }: BuildResult): string {
  if (!file) throw new Error("esbuild wrote nothing")
  return file.text
}

/** The imports that a bundle leaves to the platform. */
function listImports({ metafile }: BuildResult): string[] {
  const outputs = Object.values(metafile?.outputs ?? {})
  return outputs.flatMap(({ imports }) => imports.map(({ path }) => path))
}

/** Loads a bundle as any other module. */
async function importBundle<T>(text: string): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-bundle-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, "core.mjs")
  await writeFile(file, text)
  return import(/* @vite-ignore */ pathToFileURL(file).href)
}

type Core = typeof import("@latchkey/core") & typeof import("@latchkey/core/jwt")

const bundleSource = `
  export * from "@latchkey/core"
  export * from "@latchkey/core/jwt"
`

// The published files are not in the repository.
beforeAll(async () => {
  const cwd = join(import.meta.dirname, "../../../..")
  await promisify(execFile)(process.execPath, ["scripts/bundle.ts", "core", "pages"], { cwd })
})

describe.each(variants)("the core %s", (_, conditions) => {
  test("imports neither Node modules nor dependencies", async () => {
    const result = await buildBundle(bundleSource, conditions)
    expect(listImports(result)).toEqual([])
    expect(readOutput(result)).not.toMatch(
      /["']node:|\brequire\s*\(|(?<!runtime\/)\bprocess\.|\bBuffer\b/,
    )
    const inputs = Object.keys(result.metafile.inputs)
    expect(inputs.some((path) => path.includes("primitives.web"))).toBe(true)
    expect(inputs.some((path) => path.includes("primitives.node"))).toBe(false)
  })

  test.each([
    "errors",
    "jwt",
    "adapters",
    "types",
    "providers",
    "providers/tenantidp",
    "providers/socialidp",
    "providers/credentials",
  ])("has an entry without imports: %s", async (entry) => {
    const result = await buildBundle(`export * from "@latchkey/core/${entry}"`, conditions)
    expect(listImports(result)).toEqual([])
    expect(readOutput(result)).not.toMatch(/["']node:/)
  })

  test("leaves out only the mailer, which the application installs", async () => {
    const entry = `export { default } from "@latchkey/core/providers/nodemailer"`
    const result = await buildBundle(entry, conditions, ["nodemailer"])
    expect(listImports(result)).toEqual(["nodemailer"])
  })

  test.each(["webauthn", "passkey"])(
    "leaves out only the package that verifies passkeys, which the application installs: %s",
    async (name) => {
      const entry = `export { default } from "@latchkey/core/providers/${name}"`
      const result = await buildBundle(entry, conditions, ["@simplewebauthn/server"])
      expect(listImports(result)).toEqual(["@simplewebauthn/server"])
    },
  )

  test("signs users in, and reads sessions that Node created, with web APIs only", async () => {
    const core = await importBundle<Core>(readOutput(await buildBundle(bundleSource, conditions)))
    const provider = await createScriptedProvider()
    // The symbol of one copy of the core means nothing to another one.
    const { clientId, clientSecret, issuer } = provider.asOptions()
    const oidc = { id: "scripted", name: "Scripted", type: "oidc" as const, clientId, clientSecret }
    const config = {
      providers: [passwordProvider(), { ...oidc, issuer, [core.customFetch]: provider.fetch }],
      secret: testSiteSecret,
      trustHost: true,
      logger: { error: () => {} },
    }
    const alice = createTestBrowser((request) => core.Auth(request, config))
    expect(await alice.getSession()).toBeNull()
    await alice.signIn("credentials", validCredentials)
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
    await alice.signOut()
    expect(await alice.getSession()).toBeNull()
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })

    const bob = createTestBrowser((request) => core.Auth(request, config))
    const token = await encode({
      token: { name: "Bob" },
      secret: testSiteSecret,
      salt: sessionCookie,
    })
    bob.cookies.setUnchecked(siteOrigin, `${sessionCookie}=${token}; Path=/; Secure; HttpOnly`)
    expect(await bob.getSession()).toMatchObject({ user: { name: "Bob" } })
    bob.cookies.setUnchecked(
      siteOrigin,
      `${sessionCookie}=${token.slice(0, -2)}; Path=/; Secure; HttpOnly`,
    )
    expect(await bob.getSession()).toBeNull()
  })
})
