/** The worker of docs/hosting.md, in the runtime of Cloudflare Workers. */
import { join } from "node:path"
import { createTestBrowser, createTestSession } from "@latchkey/testing"
import { build } from "esbuild"
import { Miniflare } from "miniflare"
import { expect, onTestFinished, test } from "vitest"
import { startKeycloak } from "./support/keycloak.ts"

const secret = "the secret of the worker, of 32 characters and more"

/** Bundles the worker without Node.js, and starts it on a free port. */
async function startWorker(bindings: Record<string, string>): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../hosting/worker.ts")],
    bundle: true,
    format: "esm",
    platform: "neutral",
    conditions: ["@latchkey/source", "workerd", "worker"],
    write: false,
  })
  const worker = new Miniflare({
    cf: false, // does not look up where this machine is
    modules: true,
    script: outputFiles[0]?.text ?? "",
    compatibilityDate: "2026-04-01",
    bindings,
  })
  onTestFinished(() => worker.dispose())
  return (await worker.ready).origin
}

test("users sign in, stay signed in, and sign out", async () => {
  const { provider, environment } = await startKeycloak()
  onTestFinished(() => provider.close())
  const url = await startWorker({ ...environment, AUTH_SECRET: secret })
  const browser = createTestBrowser(url)
  expect(await (await browser.open("/")).text()).toBe("Hello stranger")
  await browser.signIn(provider)
  expect(await (await browser.open("/")).text()).toBe("Hello Ada Lovelace")
  expect(browser.cookies.rejected).toEqual([])
  await browser.signOut()
  expect(await (await browser.open("/")).text()).toBe("Hello stranger")
})

test("a session that Node.js has sealed is valid", async () => {
  const { provider, environment } = await startKeycloak()
  onTestFinished(() => provider.close())
  const url = await startWorker({ ...environment, AUTH_SECRET: secret })
  const cookie = await createTestSession({ providers: [], secret }, { name: "Ada" }, { url })
  const response = await fetch(url, { headers: { cookie } })
  expect(await response.text()).toBe("Hello Ada")
})
