import { secret, testUser } from "../../test-user.ts"
import { runSubject } from "../subject.ts"

await runSubject({
  importLibrary: () => import("@latchkey/core"),
  async createHandler() {
    const [{ createAuth }, { default: github }, { default: google }, { default: credentials }] =
      await Promise.all([
        import("@latchkey/core"),
        import("@latchkey/core/providers/github"),
        import("@latchkey/core/providers/google"),
        import("@latchkey/core/providers/credentials"),
      ])
    const auth = createAuth({
      secret,
      trustHost: true,
      providers: [
        github({ clientId: "bench", clientSecret: "a client secret" }),
        google({ clientId: "bench", clientSecret: "a client secret" }),
        credentials({ credentials: { email: {}, password: {} }, authorize: () => testUser }),
      ],
    })
    return (request) => auth.handle(request)
  },
})
