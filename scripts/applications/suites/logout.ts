/** Logout at the provider and from the provider, with `oidc-provider`, in Chromium. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from "vitest"
import { waitForServer } from "../application-server.ts"
import { buildApplication } from "../build-application.ts"
import type { Application } from "../catalogue.ts"
import { type RunningProgram, runProgram, startProgram, stopProgram } from "../command.ts"
import { type LogoutProvider, startLogoutProvider } from "../logout-provider.ts"
import { type ApplicationSuite, countSuiteSeconds } from "./suite.ts"

type Strategy = "jwt" | "database"

interface LogoutFixture extends AsyncDisposable {
  readonly origin: string
  readonly basePath: string
  readonly provider: LogoutProvider
  readonly server: RunningProgram
}

/** Starts the server of an application as its guide says for logout tokens. */
function startApplication(
  { framework }: Application,
  cwd: string,
  env: Record<string, string>,
): RunningProgram {
  const options = { cwd, env: { NODE_ENV: "production", ...env } }
  return framework === "sveltekit"
    ? startProgram(process.execPath, ["logout-server.mjs"], options)
    : startProgram(process.execPath, ["--run", "start"], options)
}

async function openFixture(
  application: Application,
  strategy: Strategy,
  port: number,
): Promise<LogoutFixture> {
  const origin = `http://localhost:${port}`
  const address = { port, origin }
  const { basePath } = application
  const cwd = await buildApplication({ application, variant: "probe", address })
  const folder = mkdtempSync(join(tmpdir(), "latchkey-logout-"))
  const database = join(folder, "probe.db")
  await runProgram(process.execPath, ["database.mjs", database], { cwd })
  const provider = await startLogoutProvider(origin + basePath)
  const server = startApplication(application, cwd, {
    AUTH_SECRET: "a secret of the tests, long enough and worth nothing",
    AUTH_TRUST_HOST: "true",
    ...application.runEnv(address),
    ORIGIN: origin,
    AUTH_TENANTIDP_ID: provider.clientId,
    AUTH_TENANTIDP_SECRET: provider.clientSecret,
    AUTH_TENANTIDP_ISSUER: provider.issuer,
    AUTH_SOCIALIDP_ID: "unused",
    PROBE_DATABASE: database,
    PROBE_STRATEGY: strategy,
    PROBE_RECORDS: "true",
  })
  const dispose = async () => {
    await stopProgram(server)
    await provider[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  }
  await waitForServer(server, port).catch(async (error: unknown) => {
    await dispose()
    throw error
  })
  return { origin, basePath, provider, server, [Symbol.asyncDispose]: dispose }
}

/** Frameworks that are tested with both strategies: the core treats each alike. One has a router, and one has none. */
const bothStrategies = ["express", "sveltekit"]

/** Tests logout in all ways, or only that the framework lets logout tokens through. */
export function testLogout({ application, chromium, port, runsAll }: ApplicationSuite): void {
  const strategies: readonly Strategy[] =
    runsAll && bothStrategies.includes(application.framework) ? ["jwt", "database"] : ["jwt"]
  describe("logout", () => {
    countSuiteSeconds("logout")
    describe.each(strategies)("strategy %s", (strategy) => {
      let fixture: LogoutFixture

      beforeAll(async () => {
        fixture = await openFixture(application, strategy, port())
      })
      afterAll(() => fixture?.[Symbol.asyncDispose]())

      /** Opens a browser in which Ada has signed in. */
      async function openAda(): Promise<Page> {
        onTestFailed(() => console.error(fixture.server.output(), fixture.provider.logoutResponses))
        const context = await chromium().newContext({ baseURL: fixture.origin })
        context.setDefaultTimeout(10_000)
        const page = await context.newPage()
        await signIn(page)
        return page
      }

      async function signIn(page: Page): Promise<void> {
        await page.goto(`${fixture.basePath}/signin?callbackUrl=/probe/session`)
        await page.getByRole("button", { name: "Alder ID" }).click()
        await page.waitForURL("/probe/session")
        expect(await readUserName(page)).toBe("Ada")
      }

      async function readUserName(page: Page): Promise<string | undefined> {
        await page.goto("/probe/session")
        return JSON.parse((await page.textContent("body")) ?? "").session?.user?.name
      }

      test.runIf(runsAll)("the user signs out at the provider, too, and comes back", async () => {
        const page = await openAda()
        const logins = fixture.provider.loginCount()
        await page.goto(`${fixture.basePath}/signout?federated=true&callbackUrl=/probe/session?bye`)
        await page.getByRole("button", { name: "Sign out" }).click()
        await page.getByRole("button", { name: "Leave the provider" }).click()
        await page.waitForURL("/probe/session?bye")
        expect(await readUserName(page)).toBeUndefined()
        await signIn(page)
        expect(fixture.provider.loginCount()).toBe(logins + 1)
        await page.context().close()
      })

      test("the provider sends a logout token", async () => {
        const page = await openAda()
        const other = await openAda()
        const { logoutResponses } = fixture.provider
        const before = logoutResponses.length
        const tab = await page.context().newPage()
        await tab.goto(fixture.provider.logoutUrl)
        await tab.getByRole("button", { name: "Leave the provider" }).click()
        await tab.getByText("Left the provider").waitFor()
        expect(logoutResponses.slice(before)).toEqual(["success"])
        expect(await readUserName(page)).toBeUndefined()
        expect(await readUserName(other)).toBe("Ada")
        await page.context().close()
        await other.context().close()
      })

      test.runIf(runsAll)("the provider loads a frame", async () => {
        const page = await openAda()
        const other = await openAda()
        const tab = await page.context().newPage()
        const isFrame = (url: string) =>
          url.startsWith(`${fixture.origin}${fixture.basePath}/logout/`)
        const loaded = tab.waitForResponse((response) => isFrame(response.url()))
        await tab.goto(`${fixture.provider.logoutUrl}?frame=true`)
        const response = await loaded
        expect(response.status()).toBe(200)
        expect(await response.request().headerValue("cookie")).toBeNull()
        await expect
          .poll(() =>
            tab
              .frames()
              .map((frame) => frame.url())
              .some(isFrame),
          )
          .toBe(true)
        expect(await readUserName(page)).toBeUndefined()
        expect(await readUserName(other)).toBe("Ada")
        await page.context().close()
        await other.context().close()
      })
    })
  })
}
