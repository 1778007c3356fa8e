/** The guards of applications that used Auth.js read the session from `sharedMap`. */
import { describe, expect, test } from "vitest"
import type { ApplicationFixture } from "../application-fixture.ts"
import { annCredentials } from "../behaviours/behaviour.ts"
import type { ApplicationSuite } from "./suite.ts"

/** Tests the guard. The deployment renews the session at every access. */
export function testSharedMap(_suite: ApplicationSuite, fixture: () => ApplicationFixture): void {
  describe("shared map", () => {
    test('a guard lets users in by `sharedMap.get("session")`', async () => {
      const ann = fixture().openBrowser()
      const signedOut = await ann.open("/probe/guarded")
      expect(signedOut.status).toBe(302)
      expect(signedOut.headers.get("location")).toBe("/signin?callbackUrl=/probe/guarded")
      await ann.signIn("credentials", annCredentials)
      const response = await ann.open("/probe/guarded")
      expect(await response.json()).toMatchObject({
        user: { name: "Ann" },
        expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      })
      expect(response.headers.get("set-cookie")).toContain("session-token")
      expect(response.headers.get("cache-control")).toBe("private, no-store")
    })
  })
}
