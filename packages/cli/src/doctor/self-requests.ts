/** Sends the requests of a first visit to the library, without a server. */
import { createAuth } from "@latchkey/core"
import type { DoctorContext } from "./doctor-context.ts"
import { createErrorFinding, createGoodFinding, describeError, type Finding } from "./finding.ts"

interface PublicProvider {
  readonly id: string
  readonly type: string
  readonly callbackUrl: string
}

/** Requests the session, the sign-in page and the list of providers, as a browser does. */
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
  yield* listCallbackUrls(await auth.handle(new Request(`${base}/providers`)))
}

async function* listCallbackUrls(response: Response): AsyncGenerator<Finding> {
  try {
    const providers: Record<string, PublicProvider> = await response.json()
    for (const { id, type, callbackUrl } of Object.values(providers)) {
      if (type === "oauth" || type === "oidc")
        yield createGoodFinding("callback-url", `${id}: register ${callbackUrl} at the provider`)
    }
  } catch (error) {
    yield createErrorFinding(
      "request-fails",
      `The list of providers cannot be read: ${describeError(error)}`,
      "Check the other findings.",
    )
  }
}
