/** The browser client in a page without a bundler: the files of `docs/client.md`, with the built packages. */

import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { encode } from "@latchkey/core/jwt"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { readCodeBlocks } from "../../code-blocks/blocks.ts"
import { launchChromium } from "../../test-setup/launch-chromium.ts"
import { findFreePort } from "../application-server.ts"
import { startProgram, stopProgram } from "../command.ts"

const secret = "a secret of the tests, long enough and worth nothing"
let chromium: Browser
let folder: string

beforeAll(async () => {
  chromium = await launchChromium()
  folder = mkdtempSync(join(tmpdir(), "without-bundler-"))
  for (const { file, kind, code } of readCodeBlocks()) {
    const name = /^ts ([\w-]+\.ts)$/.exec(kind)?.[1]
    if (file === "docs/client.md" && name !== undefined) writeFileSync(join(folder, name), code)
  }
  cpSync("compat/recipes/without-bundler", folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"))
})

afterAll(async () => {
  await chromium?.close()
  rmSync(folder, { recursive: true })
})

test("a page imports the client as it is, and signs in and out", async () => {
  const port = await findFreePort(24_700)
  const env = {
    PORT: String(port),
    AUTH_SECRET: secret,
    AUTH_GITHUB_ID: "id",
    AUTH_GITHUB_SECRET: "s",
  }
  const server = startProgram(process.execPath, ["server.ts"], { cwd: folder, env })
  onTestFinished(() => stopProgram(server))
  const origin = `http://localhost:${port}`
  await expect
    .poll(() =>
      fetch(origin).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)

  const context = await chromium.newContext({ baseURL: origin })
  const page = await context.newPage()
  await context.route("https://github.com/**", (route) => route.fulfill({ body: "GitHub" }))
  await page.goto("/")
  await page.getByText("Nobody is signed in.").waitFor()
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL("https://github.com/login/oauth/authorize?*")

  const name = "authjs.session-token"
  const value = await encode({ token: { name: "Ada Lovelace" }, secret, salt: name })
  await context.addCookies([{ name, value, url: origin }])
  await page.goto("/")
  await page.getByText("Ada Lovelace").waitFor()
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByText("Nobody is signed in.").waitFor()
  await context.close()
})
