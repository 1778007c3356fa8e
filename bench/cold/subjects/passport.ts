/** express-session with Passport, and openid-client for providers. */
import { runSubject } from "../subject.ts"

await runSubject({
  importLibrary: () =>
    Promise.all([
      import("express-session"),
      import("passport"),
      import("passport-local"),
      import("openid-client/passport"),
    ]),
  createHandler() {
    throw new TypeError("express-session has no session in a fresh process")
  },
})
