/** What sets libraries apart that do the same work: found out by trying. */
import { cookieHeader } from "../exchange.ts"
import type { Site } from "../libraries/library.ts"
import { comeback } from "../libraries/sign-in.ts"
import type { Provider } from "../provider.ts"
import { assertSignedIn } from "../tasks/checks.ts"
import type { Facts } from "./commands.ts"

/** Signs somebody in, honestly and then with an ID token that the provider never signed. */
export async function factsOf(site: Site, provider: Provider): Promise<Facts> {
  const steps = await site.oauth()
  await site.send(await comeback(steps, site.send)) // what is fetched once only is not counted
  provider.takeRequests()
  const honest = await comeback(steps, site.send)
  const requestsAtStart = provider.takeRequests()
  await assertSignedIn(await site.send(honest), site)
  const requestsAtCallback = provider.takeRequests()
  const dishonest = await comeback(steps, site.send)
  provider.forge(true)
  const reply = await site.send(dishonest)
  provider.forge(false)
  return {
    verifiesIdTokens: !(await isSignedIn(cookieHeader(reply), site)),
    requestsAtStart,
    requestsAtCallback,
  }
}

async function isSignedIn(cookie: string, site: Site): Promise<boolean> {
  if (cookie === "") return false
  const { body } = await site.send({ ...site.session, cookie })
  return body !== "null"
}
