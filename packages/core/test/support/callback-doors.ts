/** Every door through which somebody can say where to go afterwards, and where they then end up. */
import { createAuth } from "@latchkey/core"
import { type Browser, browser } from "@latchkey/testing"
import { all } from "../pages-markup.ts"
import { home, rightWord, type Site } from "./front-door.ts"

/** Asks for a callback URL and gives every place that the answers lead to. */
export type Door = (site: Site, callbackUrl: string) => Promise<string[]>

export const callbackCookie = "__Secure-authjs.callback-url"

export const callbackDoors: Readonly<Record<string, Door>> = {
  "sign-in, body": async (site, callbackUrl) =>
    throughProvider(site, site.visitor(), { callbackUrl }),
  "sign-in, query": async (site, callbackUrl) =>
    throughProvider(site, site.visitor(), {}, { callbackUrl }),
  "sign-in, cookie": async (site, callbackUrl) =>
    throughProvider(site, planted(site.visitor(), callbackUrl)),
  "sign-in page": async (site, callbackUrl) => {
    const page = await site.visitor().open(`/auth/signin?${new URLSearchParams({ callbackUrl })}`)
    const inputs = all(await page.text(), "input", { name: "callbackUrl" })
    return inputs.map(({ attributes }) => attributes.get("value") ?? "")
  },
  "sign-in page of the application": async (site, callbackUrl) => {
    const { handle } = createAuth({ ...site.config, pages: { signIn: "/login" } })
    const query = new URLSearchParams({ callbackUrl })
    const answer = await handle(new Request(`${home}/auth/signin?${query}`))
    const to = new URL(location(answer), home)
    return [to.href, to.searchParams.get("callbackUrl") ?? ""]
  },
  "page for new users": async (site, callbackUrl) => {
    const { handle } = createAuth({ ...site.config, pages: { newUser: "/welcome" } })
    const [welcome = ""] = await throughProvider(site, browser(handle), { callbackUrl })
    const to = new URL(welcome, home)
    return [to.href, to.searchParams.get("callbackUrl") ?? ""]
  },
  "credentials, body": async (site, callbackUrl) => [
    location(await site.visitor().signIn("credentials", { ...rightWord, callbackUrl })),
  ],
  "credentials, query": async (site, callbackUrl) => [
    location(await posted(site.visitor(), "callback/credentials", rightWord, { callbackUrl })),
  ],
  "credentials, cookie": async (site, callbackUrl) => [
    location(await planted(site.visitor(), callbackUrl).signIn("credentials", rightWord)),
  ],
  "credentials, JSON answer": async (site, callbackUrl) => {
    const alice = site.visitor()
    const fields = { csrfToken: await alice.csrf(), ...rightWord, callbackUrl }
    const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" }
    const body = JSON.stringify(fields)
    const answer = await alice.fetch(alice.path("callback/credentials"), {
      method: "POST",
      headers,
      body,
    })
    const { url }: { url: string } = await answer.json()
    return [location(answer), url]
  },
  "e-mail link": async (site, callbackUrl) => throughLink(site, { callbackUrl }),
  "e-mail link, edited by its receiver": async (site, callbackUrl) =>
    throughLink(site, {}, (link) => link.searchParams.set("callbackUrl", callbackUrl)),
  "sign-out, body": async (site, callbackUrl) => {
    const alice = await signedIn(site)
    return [location(await alice.signOut({ callbackUrl }))]
  },
  "sign-out, query": async (site, callbackUrl) => {
    const alice = await signedIn(site)
    return [location(await posted(alice, "signout", {}, { callbackUrl }))]
  },
  "sign-out, cookie": async (site, callbackUrl) => {
    const alice = planted(await signedIn(site), callbackUrl)
    return [location(await alice.signOut())]
  },
  "sign-out page": async (site, callbackUrl) => {
    const page = await site.visitor().open(`/auth/signout?${new URLSearchParams({ callbackUrl })}`)
    const inputs = all(await page.text(), "input", { name: "callbackUrl" })
    return inputs.map(({ attributes }) => attributes.get("value") ?? "")
  },
  "session endpoint": async (site, callbackUrl) => {
    const alice = await signedIn(site)
    await alice.fetch(`/auth/session?${new URLSearchParams({ callbackUrl })}`)
    const kept = alice.cookies.get(callbackCookie)?.value ?? ""
    return [decodeURIComponent(kept), location(await alice.signOut())]
  },
  "signIn of the engine": async ({ config }, callbackUrl) => {
    const options = { ...rightWord, redirectTo: callbackUrl }
    const context = { provider: "credentials", headers: new Headers(), url: home }
    return [(await createAuth(config).signIn({ ...context, options })).redirect]
  },
  "signOut of the engine": async ({ config }, callbackUrl) => {
    const options = { redirectTo: callbackUrl }
    const answer = await createAuth(config).signOut({ headers: new Headers(), url: home, options })
    return [answer.redirect]
  },
}

function location(answer: Response): string {
  const to = answer.headers.get("location")
  if (to === null) throw new Error(`The answer leads nowhere: ${answer.status}`)
  return to
}

/** Puts a callback URL into the cookie, as a sub-domain or an older version of the site could have. */
function planted(who: Browser, callbackUrl: string): Browser {
  const value = encodeURIComponent(callbackUrl)
  who.cookies.plant(home, `${callbackCookie}=${value}; Path=/; Secure; HttpOnly`)
  return who
}

/** Submits a form of the site with a query in its address. */
async function posted(
  who: Browser,
  route: string,
  fields: Record<string, string>,
  query: Record<string, string>,
): Promise<Response> {
  const csrfToken = await who.csrf()
  return who.post(`${who.path(route)}?${new URLSearchParams(query)}`, { csrfToken, ...fields })
}

async function signedIn(site: Site): Promise<Browser> {
  const alice = site.visitor()
  await alice.signIn("credentials", rightWord)
  alice.cookies.delete(callbackCookie)
  return alice
}

async function throughProvider(
  { provider }: Site,
  who: Browser,
  fields: Record<string, string> = {},
  query: Record<string, string> = {},
): Promise<string[]> {
  const begun = await who.begin(provider, fields, query)
  return [location(await who.open(provider.approve(begun)))]
}

async function throughLink(
  site: Site,
  fields: Record<string, string>,
  edit?: (link: URL) => void,
): Promise<string[]> {
  const alice = site.visitor()
  await alice.signIn("email", { email: "ada@example.com", ...fields })
  const link = new URL(site.links.at(-1) ?? "")
  const sent = link.searchParams.get("callbackUrl") ?? ""
  edit?.(link)
  // The mail may be read on another device: nothing but the link says where to go.
  return [link.origin, sent, location(await site.visitor().open(link))]
}
