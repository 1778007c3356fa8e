/** Makes the requests of a first visit, within this process. */
import { createAuth } from "@latchkey/core"
import { described, type Finding, good, wrong } from "./finding.ts"
import type { Subject } from "./subject.ts"

interface PublicProvider {
  readonly id: string
  readonly type: string
  readonly callbackUrl: string
}

/** Asks for the session, the sign-in page and the list of providers, as a browser would. */
export async function* requestFindings(subject: Subject): AsyncGenerator<Finding> {
  const auth = createAuth(subject.config)
  const base = `${subject.url.origin}${auth.basePath === "/" ? "" : auth.basePath}`
  for (const action of ["session", "signin", "csrf"]) {
    const { status } = await auth.handle(new Request(`${base}/${action}`))
    if (status < 400) continue
    yield wrong(
      "request-fails",
      `GET ${base}/${action} answers ${status}.`,
      "Look at the other findings; with none, set `debug: true` and look at the application's log.",
    )
  }
  yield* callbackUrls(await auth.handle(new Request(`${base}/providers`)))
}

async function* callbackUrls(answer: Response): AsyncGenerator<Finding> {
  try {
    const providers: Record<string, PublicProvider> = await answer.json()
    for (const { id, type, callbackUrl } of Object.values(providers)) {
      if (type === "oauth" || type === "oidc")
        yield good("callback-url", `${id}: register ${callbackUrl} at the provider`)
    }
  } catch (error) {
    yield wrong("request-fails", `The list of providers fails: ${described(error)}`, "See above.")
  }
}
