/** The authorization endpoint of the development provider: a page on which people choose who they are. */
import {
  approveAuthorization,
  denyAuthorization,
  parseAuthorizationRequest,
} from "../provider/authorization-endpoint.ts"
import { ProviderError } from "../provider/provider-error.ts"
import type { ProviderState } from "../provider/provider-state.ts"
import type { ScriptedUser } from "../provider/types.ts"
import { assertDevelopment, isLoopbackUrl } from "./assert-development.ts"
import { contentSecurityPolicy, renderErrorPage, renderSignInPage } from "./sign-in-page.ts"

/** Responds to a browser. */
export async function handleSignInRequest(
  state: ProviderState,
  users: readonly ScriptedUser[],
  request: Request,
): Promise<Response> {
  const url = new URL(request.url)
  const { origin, pathname } = new URL(state.endpoints.authorize)
  // A name that an attacker resolves to this computer is another host (DNS rebinding).
  if (url.origin !== origin) return createPageResponse(renderErrorPage(`This is ${origin}.`), 421)
  if (url.pathname !== pathname) return createPageResponse(renderErrorPage("Not found."), 404)
  try {
    assertDevelopment(process.env)
    const redirectUri = validateRequest(state, url)
    if (request.method !== "POST") {
      const page = renderSignInPage({ users, application: redirectUri.host, query: url.search })
      return createPageResponse(page, 200)
    }
    const location = await readChoice(state, users, request)
    return new Response(null, { status: 303, headers: { ...pageHeaders, location } })
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof TypeError)) throw error
    return createPageResponse(renderErrorPage(error.message), 400)
  }
}

/**
 * Accepts only applications on this computer.
 *
 * @throws ProviderError for any other request
 */
function validateRequest(state: ProviderState, url: URL): URL {
  const { redirectUri, isFormPost } = parseAuthorizationRequest(state, url)
  if (isFormPost) throw new ProviderError("invalid_request", "response_mode is form_post")
  if (isLoopbackUrl(redirectUri)) return new URL(redirectUri)
  const description =
    `redirect_uri ${redirectUri} is not on this computer. ` +
    "The development provider signs in to applications on localhost only"
  throw new ProviderError("invalid_request", description)
}

/** Returns the URL that takes the choice of the page to the application. @throws ProviderError */
async function readChoice(
  state: ProviderState,
  users: readonly ScriptedUser[],
  request: Request,
): Promise<string> {
  // Other sites must not choose for the person at the computer.
  if (request.headers.get("origin") !== new URL(request.url).origin)
    throw new ProviderError("access_denied", "another site sent the form")
  const choice = new URLSearchParams(await request.text()).get("user")
  if (choice === null) return denyAuthorization(state, request.url, cancellation).toString()
  const user = users.find(({ sub }) => sub === choice)
  if (!user) throw new ProviderError("invalid_request", "nobody on the list was chosen")
  return approveAuthorization(state, request.url, user).toString()
}

const cancellation = { error: "access_denied", error_description: "The sign-in was cancelled." }

function createPageResponse(page: string, status: number): Response {
  const headers = { ...pageHeaders, "content-type": "text/html; charset=utf-8" }
  return new Response(page, { status, headers })
}

const pageHeaders = {
  "cache-control": "no-store",
  connection: "close",
  "content-security-policy": contentSecurityPolicy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // "no-referrer" would remove the origin from the form.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
}
