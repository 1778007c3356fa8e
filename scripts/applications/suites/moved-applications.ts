/** Applications for Auth.js build, type-check and sign in after `latchkey move`, without changes by hand. */
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { startServer } from "../application-server.ts"
import { buildMovedApplication } from "../moved-application.ts"
import { type ApplicationSuite, countSuiteSeconds } from "./suite.ts"

const secret = "a secret of the tests, long enough and worth nothing"

/**
 * The applications of `compat/move`, and what only signed-in users see in them besides `/protected`. Auth.js supports SvelteKit
 * up to version 2; that of Next.js 15 was written for NextAuth.js 4, with both routers.
 */
const movedApplications: ReadonlyMap<string, readonly string[]> = new Map([
  ["express", []],
  ["sveltekit-2", []],
  ["qwik", []],
  ["next", ["/members"]],
  ["next-15", ["/members", "/api/name", "/de/protected"]],
])

/** Tests the application that was written for Auth.js, if there is one for this framework. */
export function testMovedApplication({ application, port }: ApplicationSuite): void {
  const guardedPaths = movedApplications.get(application.name)
  if (!guardedPaths) return
  describe("moved application", () => {
    countSuiteSeconds("move")

    test("signs in with a provider and a password", { timeout: 300_000 }, async () => {
      const address = { port: port(), origin: `http://127.0.0.1:${port()}` }
      const moved = await buildMovedApplication(application, address)
      expect(moved.secondOutput).toContain("Nothing to change")
      const provider = await createScriptedProvider({ id: "keycloak" })
      await provider.listen()
      const env = {
        AUTH_SECRET: secret,
        AUTH_KEYCLOAK_ID: provider.clientId,
        AUTH_KEYCLOAK_SECRET: provider.clientSecret,
        AUTH_KEYCLOAK_ISSUER: provider.issuer,
      }
      await using server = await startServer(moved.folder, port(), {
        ...application.runEnv(address),
        ...env,
      })
      const ada = createTestBrowser(address.origin, { basePath: application.basePath })
      for (const path of guardedPaths)
        expect(await (await ada.open(path)).text(), path).not.toContain("Ada Lovelace")
      expect((await ada.open("/protected")).status, server.output()).not.toBe(200)
      await ada.signIn(provider)
      expect(await ada.getSession(), server.output()).toMatchObject({
        user: { name: "Ada Lovelace" },
      })
      expect((await ada.open("/protected")).status).toBe(200)
      for (const path of guardedPaths)
        expect(await (await ada.open(path)).text(), path).toContain("Ada Lovelace")
      const ann = createTestBrowser(address.origin, { basePath: application.basePath })
      await ann.signIn("credentials", { password: "open sesame" })
      expect(await ann.getSession()).toMatchObject({ user: { name: "Ann" } })
      await provider.close()
    })
  })
}
