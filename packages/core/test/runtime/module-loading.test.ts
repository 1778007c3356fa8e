/** Modules load with the first request that needs them. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { expect, test, vi } from "vitest"
import { loadOnFirstCall } from "../../src/load-on-first-call.ts"

interface Report {
  /** Whether `fetch` was loaded after the configuration was compiled, and after the first response. */
  readonly fetch: readonly boolean[]
  readonly statuses: readonly number[]
  readonly redirects: readonly string[]
  readonly startup: readonly string[]
  readonly session: readonly string[]
  readonly credentials: readonly string[]
  readonly page: readonly string[]
  readonly oauth: readonly string[]
  readonly callback: readonly string[]
}

/** Starts a process that imports the library and sends requests, and returns the modules that each of them loaded. */
async function reportLoadedModules(): Promise<Report> {
  const script = new URL("../support/module-process.ts", import.meta.url)
  const child = fork(script, { execArgv: ["--conditions=@latchkey/source"] })
  const [report] = await once(child, "message")
  return report
}

const protocolPattern = /^(?:jose|oauth4webapi)\//
const folderPattern = /^(?:flows|identity|pages)\//

test("a process loads what its requests need, and nothing else", async () => {
  const report = await reportLoadedModules()
  expect(report.statuses).toEqual([200, 200, 302])
  expect(report.redirects).toEqual(["https://app.example", "github.com"])

  expect(report.fetch).toEqual([false, true])

  const idle = [...report.startup, ...report.session]
  expect(idle).toContain("actions/session.ts")
  expect(idle.filter((module) => protocolPattern.test(module))).toEqual([])
  expect(idle.filter((module) => folderPattern.test(module)).toSorted()).toEqual([
    "flows/oauth/metadata-cache.ts",
    "flows/passkeys/load-server.ts",
    "pages/render-page.ts",
  ])
  // Sessions in a database.
  const unusedPattern = /^sessions\/(?:database|records)\/.*$/
  expect(idle.filter((module) => unusedPattern.test(module))).toEqual([])

  expect(report.credentials).toContain("flows/credentials.ts")
  expect(report.page).toContain("pages/src/pages/sign-in-page.ts")
  const unrelatedPattern = /^flows\/(?:oauth|passkeys|email)/
  const beforeOAuth = [...report.credentials, ...report.page]
  expect(beforeOAuth.filter((module) => unrelatedPattern.test(module))).toEqual([])

  expect(report.oauth).toContain("flows/oauth/authorization-url.ts")
  expect(report.oauth.filter((module) => /passkeys|webauthn|email/.test(module))).toEqual([])

  const { credentials, page, oauth, callback } = report
  const all = [...idle, ...credentials, ...page, ...oauth, ...callback]
  expect(all.filter((module) => /logout/.test(module))).toEqual([])

  const beforeCallback = [...beforeOAuth, ...report.oauth]
  expect(beforeCallback.filter((module) => protocolPattern.test(module))).toEqual([])
  expect(report.callback.some((module) => module.startsWith("jose/"))).toBe(true)
  expect(report.callback.some((module) => module.startsWith("oauth4webapi/"))).toBe(true)
})

test("a module loads once, with the first call of one of its functions, and again only after a failure", async () => {
  const fault = new TypeError("Failed to fetch dynamically imported module")
  const module = { greet: async (name: string) => `Hello ${name}`, wait: async () => "waited" }
  const load = vi.fn(async () => module).mockRejectedValueOnce(fault)
  // A promise must be able to resolve to them.
  const resolved = await Promise.resolve(loadOnFirstCall(load))
  expect(load).not.toHaveBeenCalled()
  await expect(resolved.greet("Ada")).rejects.toBe(fault)
  expect(await resolved.greet("Ada")).toBe("Hello Ada")
  expect(await resolved.wait()).toBe("waited")
  expect(load).toHaveBeenCalledTimes(2)
})
