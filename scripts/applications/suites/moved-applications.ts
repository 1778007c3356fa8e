/** Applications for Auth.js build, type-check and sign in after `latchkey move`, without changes by hand. */
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { startServer } from "../application-server.ts"
import { buildMovedApplication } from "../moved-application.ts"
import { type ApplicationSuite, countSuiteSeconds } from "./suite.ts"

const secret = "a secret of the tests, long enough and worth nothing"

/** The applications of `compat/move`. Auth.js supports SvelteKit up to version 2. */
const movedApplications = new Set(["express", "sveltekit-2", "qwik", "next"])

/** Tests the application that was written for Auth.js, if there is one for this framework. */
export function testMovedApplication({ application, port }: ApplicationSuite): void {
  if (!movedApplications.has(application.name)) return
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
      expect((await ada.open("/protected")).status, server.output()).not.toBe(200)
      await ada.signIn(provider)
      expect(await ada.getSession(), server.output()).toMatchObject({
        user: { name: "Ada Lovelace" },
      })
      expect((await ada.open("/protected")).status).toBe(200)
      const ann = createTestBrowser(address.origin, { basePath: application.basePath })
      await ann.signIn("credentials", { password: "open sesame" })
      expect(await ann.getSession()).toMatchObject({ user: { name: "Ann" } })
      await provider.close()
    })
  })
}
