/** Better Auth without a database: its sessions are encrypted cookies. */
import { secret } from "../../test-user.ts"
import { runSubject } from "../subject.ts"

const week = 604_800

await runSubject({
  importLibrary: () => import("better-auth"),
  async createHandler() {
    const { betterAuth } = await import("better-auth")
    const auth = betterAuth({
      secret,
      baseURL: "http://localhost:3000",
      basePath: "/auth",
      session: {
        expiresIn: week,
        cookieCache: { enabled: true, strategy: "jwe", maxAge: week, refreshCache: true },
      },
      emailAndPassword: { enabled: true },
      socialProviders: {
        github: { clientId: "bench", clientSecret: "a client secret" },
        google: { clientId: "bench", clientSecret: "a client secret" },
      },
      rateLimit: { enabled: false },
      telemetry: { enabled: false },
      logger: { disabled: true },
    })
    return (request) => auth.handler(request)
  },
})
