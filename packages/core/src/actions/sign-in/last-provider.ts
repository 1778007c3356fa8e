/** Remembers with which provider a browser signed in, for the built-in sign-in page. */
import type { ResolvedProvider } from "../../providers/resolved-provider.ts"
import type { ActionContext } from "../action-context.ts"

/** Returns the id in the cookie, which may belong to no provider. */
export function readLastProvider({ request }: ActionContext): string | undefined {
  return request.cookies.get(request.cookieDefinitions.lastProvider.name)
}

/** Saves the id of the provider if the built-in page has several to choose from. */
export function rememberProvider(
  { request, config }: ActionContext,
  { id }: ResolvedProvider,
): void {
  if (config.pages.signIn !== undefined || config.providers.size < 2) return
  request.jar.set(request.cookieDefinitions.lastProvider, id)
}
