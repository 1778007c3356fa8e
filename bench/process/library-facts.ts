/** Finds differences between libraries by running them. */
import { createCookieHeader } from "../http.ts"
import type { Site } from "../libraries/library.ts"
import { createCallbackRequest } from "../libraries/sign-in.ts"
import type { Provider } from "../provider.ts"
import { assertSignedIn } from "../workloads/assertions.ts"
import type { LibraryFacts } from "./commands.ts"

/**
 * Signs in with a valid ID token, and with one that somebody else signed. Returns undefined if the library does not
 * sign in with providers.
 */
export async function collectLibraryFacts(
  site: Site,
  provider: Provider,
): Promise<LibraryFacts | undefined> {
  const steps = await site.createOAuthSteps?.()
  if (!steps) return undefined
  await site.send(await createCallbackRequest(steps, site.send)) // requests that are sent only once are not counted
  provider.consumeRequestCounts()
  const validCallback = await createCallbackRequest(steps, site.send)
  const requestsAtStart = provider.consumeRequestCounts()
  await assertSignedIn(await site.send(validCallback), site)
  const requestsAtCallback = provider.consumeRequestCounts()
  const forgedCallback = await createCallbackRequest(steps, site.send)
  provider.setForgedSignatures(true)
  const response = await site.send(forgedCallback)
  provider.setForgedSignatures(false)
  return {
    verifiesIdTokens: !(await isSignedIn(createCookieHeader(response), site)),
    requestsAtStart,
    requestsAtCallback,
  }
}

async function isSignedIn(cookie: string, site: Site): Promise<boolean> {
  if (cookie === "") return false
  const { body } = await site.send({ ...site.sessionRequest, cookie })
  return body !== "null"
}
