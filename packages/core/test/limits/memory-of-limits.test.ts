/** Counters in memory belong to the process, so that nothing that a request can bring about starts them anew. */
import { Auth, createAuth } from "@latchkey/core"
import { createAuthResolver } from "@latchkey/core/integration"
import { createTestBrowser, type FetchHandler, resetAttemptLimits } from "@latchkey/testing"
import { beforeEach, describe, expect, test } from "vitest"
import { createTestSite, type TestSiteConfig } from "../support/test-site.ts"

beforeEach(resetAttemptLimits)

const resolve = createAuthResolver({ basePath: "/auth" })

/** The ways to an engine, each with what a lazy configuration creates for every request. */
const mounts: Readonly<Record<string, (createConfig: () => TestSiteConfig) => FetchHandler>> = {
  "`Auth`": (createConfig) => (request) => Auth(request, createConfig()),
  "`createAuth`": (createConfig) => (request) => createAuth(createConfig()).handle(request),
  "a framework package": (createConfig) => (request) => resolve(createConfig(), {}).handle(request),
  "a resolver for each request": (createConfig) => (request) =>
    createAuthResolver({ basePath: "/auth" })(createConfig(), {}).handle(request),
}

describe.each(Object.entries(mounts))("%s", (_, mount) => {
  test("counts in one memory for configurations and adapters of each request, until tests reset it", async () => {
    const { config, links } = await createTestSite()
    // Without `countAttempt`, as the adapters of Auth.js.
    const { countAttempt: _, ...adapter } = { ...config.adapter }
    const app = mount(() => ({ ...config, adapter: { ...adapter } }))
    const requestLinks = async (count: number) => {
      for (let i = 0; i < count; i += 1)
        await createTestBrowser(app).signIn("email", { email: "ada@example.com" })
      return links.length
    }
    expect(await requestLinks(22)).toBe(20)
    resetAttemptLimits()
    expect(await requestLinks(2)).toBe(22)
  })
})
