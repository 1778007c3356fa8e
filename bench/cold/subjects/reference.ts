/** Auth.js. */
import { secret, testUser } from "../../test-user.ts"
import { runSubject } from "../subject.ts"

await runSubject({
  importLibrary: () => import("@auth/core"),
  async createHandler() {
    const [{ Auth }, { default: github }, { default: google }, { default: credentials }] =
      await Promise.all([
        import("@auth/core"),
        import("@auth/core/providers/github"),
        import("@auth/core/providers/google"),
        import("@auth/core/providers/credentials"),
      ])
    const config = {
      secret,
      trustHost: true,
      basePath: "/auth",
      providers: [
        github({ clientId: "bench", clientSecret: "a client secret" }),
        google({ clientId: "bench", clientSecret: "a client secret" }),
        credentials({ credentials: { email: {}, password: {} }, authorize: () => testUser }),
      ],
    }
    return (request) => Auth(request, config)
  },
})
