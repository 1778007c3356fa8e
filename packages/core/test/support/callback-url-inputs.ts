/** Every place where a request can have a callback URL, and where the browser then ends up. */
import { createAuth } from "@latchkey/core"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { findElements } from "./html-parser.ts"
import { openLink } from "./open-link.ts"
import { siteOrigin, type TestSite, validCredentials } from "./test-site.ts"

/** Requests a callback URL and returns every target of the responses. */
export type CallbackUrlInput = (site: TestSite, callbackUrl: string) => Promise<string[]>

export const callbackUrlCookie = "__Secure-authjs.callback-url"

export const callbackUrlInputs: Readonly<Record<string, CallbackUrlInput>> = {
  "sign-in, body": async (site, callbackUrl) =>
    signInWithProvider(site, site.openBrowser(), { callbackUrl }),
  "sign-in, query": async (site, callbackUrl) =>
    signInWithProvider(site, site.openBrowser(), {}, { callbackUrl }),
  "sign-in, cookie": async (site, callbackUrl) =>
    signInWithProvider(site, plantCallbackUrl(site.openBrowser(), callbackUrl)),
  "sign-in page": async (site, callbackUrl) => {
    const page = await site
      .openBrowser()
      .open(`/auth/signin?${new URLSearchParams({ callbackUrl })}`)
    const inputs = findElements(await page.text(), "input", { name: "callbackUrl" })
    return inputs.map(({ attributes }) => attributes.get("value") ?? "")
  },
  "sign-in page of the application": async (site, callbackUrl) => {
    const { handle } = createAuth({ ...site.config, pages: { signIn: "/login" } })
    const query = new URLSearchParams({ callbackUrl })
    const response = await handle(new Request(`${siteOrigin}/auth/signin?${query}`))
    const target = new URL(getLocation(response), siteOrigin)
    return [target.href, target.searchParams.get("callbackUrl") ?? ""]
  },
  "page for new users": async (site, callbackUrl) => {
    const { handle } = createAuth({ ...site.config, pages: { newUser: "/welcome" } })
    const sub = crypto.randomUUID()
    site.provider.setUser({ sub, name: "Ada", email: `${sub}@example.com` })
    const [welcome = ""] = await signInWithProvider(site, createTestBrowser(handle), {
      callbackUrl,
    })
    const target = new URL(welcome, siteOrigin)
    return [target.href, target.searchParams.get("callbackUrl") ?? ""]
  },
  "credentials, body": async (site, callbackUrl) => [
    getLocation(
      await site.openBrowser().signIn("credentials", { ...validCredentials, callbackUrl }),
    ),
  ],
  "credentials, query": async (site, callbackUrl) => [
    getLocation(
      await postWithQuery(site.openBrowser(), "callback/credentials", validCredentials, {
        callbackUrl,
      }),
    ),
  ],
  "credentials, cookie": async (site, callbackUrl) => [
    getLocation(
      await plantCallbackUrl(site.openBrowser(), callbackUrl).signIn(
        "credentials",
        validCredentials,
      ),
    ),
  ],
  "credentials, JSON response": async (site, callbackUrl) => {
    const alice = site.openBrowser()
    const fields = { csrfToken: await alice.getCsrfToken(), ...validCredentials, callbackUrl }
    const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" }
    const body = JSON.stringify(fields)
    const response = await alice.fetch(alice.getRoutePath("callback/credentials"), {
      method: "POST",
      headers,
      body,
    })
    const { url }: { url: string } = await response.json()
    return [getLocation(response), url]
  },
  "e-mail link": async (site, callbackUrl) => signInWithEmailLink(site, { callbackUrl }),
  "e-mail link, edited by its recipient": async (site, callbackUrl) =>
    signInWithEmailLink(site, {}, (link) => link.searchParams.set("callbackUrl", callbackUrl)),
  "sign-out, body": async (site, callbackUrl) => {
    const alice = await openSignedInBrowser(site)
    return [getLocation(await alice.signOut({ callbackUrl }))]
  },
  "sign-out, query": async (site, callbackUrl) => {
    const alice = await openSignedInBrowser(site)
    return [getLocation(await postWithQuery(alice, "signout", {}, { callbackUrl }))]
  },
  "sign-out, cookie": async (site, callbackUrl) => {
    const alice = plantCallbackUrl(await openSignedInBrowser(site), callbackUrl)
    return [getLocation(await alice.signOut())]
  },
  "sign-out page": async (site, callbackUrl) => {
    const alice = await openSignedInBrowser(site)
    const page = await alice.open(`/auth/signout?${new URLSearchParams({ callbackUrl })}`)
    const inputs = findElements(await page.text(), "input", { name: "callbackUrl" })
    return inputs.map(({ attributes }) => attributes.get("value") ?? "")
  },
  "sign-out page, signed out": async (site, callbackUrl) => [
    getLocation(
      await site.openBrowser().open(`/auth/signout?${new URLSearchParams({ callbackUrl })}`),
    ),
  ],
  "base path, signed in": async (site, callbackUrl) => [
    getLocation(await plantCallbackUrl(await openSignedInBrowser(site), callbackUrl).open("/auth")),
  ],
  "csrf endpoint": async (site, callbackUrl) => {
    const alice = await openSignedInBrowser(site)
    await alice.fetch(`/auth/csrf?${new URLSearchParams({ callbackUrl })}`)
    const storedCallbackUrl = alice.cookies.get(callbackUrlCookie)?.value ?? ""
    return [decodeURIComponent(storedCallbackUrl), getLocation(await alice.signOut())]
  },
  "signIn of the engine": async ({ config }, callbackUrl) => {
    const request = { headers: new Headers(), url: siteOrigin }
    const fields = { ...validCredentials, redirectTo: callbackUrl }
    return [(await createAuth(config).signIn(request, "credentials", { fields })).redirect]
  },
  "signOut of the engine": async ({ config }, callbackUrl) => {
    const options = { redirectTo: callbackUrl }
    const response = await createAuth(config).signOut(
      { headers: new Headers(), url: siteOrigin },
      options,
    )
    return [response.redirect]
  },
}

function getLocation(response: Response): string {
  const target = response.headers.get("location")
  if (target === null) throw new Error(`The answer leads nowhere: ${response.status}`)
  return target
}

/** Puts a callback URL into the cookie, as a sub-domain or an older version of the site could have. */
function plantCallbackUrl(browser: TestBrowser, callbackUrl: string): TestBrowser {
  const value = encodeURIComponent(callbackUrl)
  browser.cookies.setUnchecked(
    siteOrigin,
    `${callbackUrlCookie}=${value}; Path=/; Secure; HttpOnly`,
  )
  return browser
}

/** Submits a form of the site with a query in its address. */
async function postWithQuery(
  browser: TestBrowser,
  route: string,
  fields: Record<string, string>,
  query: Record<string, string>,
): Promise<Response> {
  const csrfToken = await browser.getCsrfToken()
  return browser.post(`${browser.getRoutePath(route)}?${new URLSearchParams(query)}`, {
    csrfToken,
    ...fields,
  })
}

async function openSignedInBrowser(site: TestSite): Promise<TestBrowser> {
  const alice = site.openBrowser()
  await alice.signIn("credentials", validCredentials)
  alice.cookies.delete(callbackUrlCookie)
  return alice
}

async function signInWithProvider(
  { provider }: TestSite,
  browser: TestBrowser,
  fields: Record<string, string> = {},
  query: Record<string, string> = {},
): Promise<string[]> {
  const authorizationUrl = await browser.startSignIn(provider, fields, query)
  return [getLocation(await browser.open(provider.approve(authorizationUrl)))]
}

async function signInWithEmailLink(
  site: TestSite,
  fields: Record<string, string>,
  edit?: (link: URL) => void,
): Promise<string[]> {
  const alice = site.openBrowser()
  await alice.signIn("email", { email: "ada@example.com", ...fields })
  const link = new URL(site.links.at(-1) ?? "")
  const callbackUrlInLink = link.searchParams.get("callbackUrl") ?? ""
  edit?.(link)
  // The e-mail may be read on another device, so only the link determines where it leads.
  return [link.origin, callbackUrlInLink, getLocation(await openLink(site.openBrowser(), link))]
}
