/** Sends the requests of a first visit to the library, without a server. */
import { createAuth } from "@latchkey/core"
import type { DoctorContext } from "./doctor-context.ts"
import { createErrorFinding, type Finding } from "./finding.ts"

/** Requests the session, the sign-in page and a CSRF token, as a browser does. */
export async function* checkRequests(context: DoctorContext): AsyncGenerator<Finding> {
  const auth = createAuth(context.config)
  const base = `${context.url.origin}${auth.basePath === "/" ? "" : auth.basePath}`
  for (const action of ["session", "signin", "csrf"]) {
    const { status } = await auth.handle(new Request(`${base}/${action}`))
    if (status < 400) continue
    yield createErrorFinding(
      "request-fails",
      `GET ${base}/${action} returned status ${status}.`,
      "Check the other findings. If there are none, set `debug: true` and check the application's log.",
    )
  }
}
