/** The development server of each framework reads the variables of `.env`. */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { startServer } from "../application-server.ts"
import { buildApplication } from "../build-application.ts"
import { type ApplicationSuite, countSuiteSeconds } from "./suite.ts"

/** Tests the development server of SvelteKit. */
export function testEnvironmentFiles({ application, port: openPort }: ApplicationSuite): void {
  if (application.framework !== "sveltekit") return
  describe("environment files", () => {
    countSuiteSeconds("development")

    test("reads .env in development, and the file of the mode overrides it", async () => {
      const port = openPort()
      const address = { port, origin: `http://127.0.0.1:${port}` }
      const folder = await buildApplication({ application, variant: "example", address })
      const files = {
        ".env": 'AUTH_SECRET="a secret of the tests, long enough"\nAUTH_URL=http://a.example/a\n',
        ".env.development.local": `AUTH_URL=${address.origin}/account/auth\n`,
      }
      const paths = Object.entries(files).map(([name, text]) => {
        writeFileSync(join(folder, name), text)
        return join(folder, name)
      })
      try {
        const env = { ...application.runEnv(address), ...provider }
        await using server = await startServer(folder, port, env, "development")
        const response = await fetch(`${address.origin}/account/auth/csrf`)
        expect(response.status, server.output()).toBe(200)
        expect(await response.json()).toEqual({ csrfToken: expect.any(String) })
      } finally {
        for (const path of paths) rmSync(path)
      }
    })
  })
}

const provider = {
  AUTH_TENANTIDP_ID: "app",
  AUTH_TENANTIDP_SECRET: "secret",
  AUTH_TENANTIDP_ISSUER: "http://127.0.0.1:9",
}
