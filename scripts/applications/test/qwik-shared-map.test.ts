/** The guards of applications that used Auth.js read the session from `sharedMap`. */
import { describe, expect, test } from "vitest"
import { openApplicationFixture } from "../application-fixture.ts"
import { findFreePort } from "../application-server.ts"
import { annCredentials } from "../behaviours/behaviour.ts"
import { applications } from "../catalogue.ts"
import { isSkipped } from "../skipped-applications.ts"

for (const [index, application] of applications.entries()) {
  if (application.framework !== "qwik") continue
  describe.skipIf(isSkipped(application))(application.title, () => {
    test('a guard lets users in by `sharedMap.get("session")`', async () => {
      const port = await findFreePort(24_400 + index)
      // Every access renews the session.
      await using app = await openApplicationFixture(application, "deep", port)
      const ann = app.openBrowser()
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
