/** Renders the sign-in page once for all visitors to whom it says the same, but for the hidden inputs of its forms. */
import { parseWebUrl } from "../config/web-url.ts"
import { memoize } from "../crypto/memoize.ts"
import type { PageOutcome } from "../http/action-outcome.ts"
import type { RenderDocument } from "./document.ts"
import { hiddenInputsSlot, renderHiddenInputs } from "./input.ts"
import type { PageMessages } from "./page-messages.ts"
import { renderSignInPage, type SignInPageProps } from "./sign-in-page.ts"

/** Pages to keep: one for each language, origin and last provider. Each has about 15 KB. */
const maxPages = 16

interface PageSlot {
  providers?: SignInPageProps["providers"]
  page?: PageOutcome
}

/** Creates the function that renders the sign-in pages of an application. */
export function createSignInRenderer(
  renderDocument: RenderDocument,
  applicationName: string | undefined,
) {
  const getSlot = memoize((_key: string): PageSlot => ({}), maxPages)
  const render = async (
    props: SignInPageProps,
    messages: PageMessages,
    site: string | undefined,
  ): Promise<PageOutcome> => renderDocument(await renderSignInPage(props, messages, site), messages)

  /** Returns the page of a visitor who typed nothing yet. */
  const getPage: typeof render = async (props, messages, site) => {
    const { providers, signUpUrl } = props
    const lastUsed = providers.find(({ id }) => id === props.lastUsed)?.id
    const key = [messages.languageTag, providers[0]?.action, lastUsed, signUpUrl, site]
    const slot = getSlot(JSON.stringify(key))
    if (slot.providers === providers && slot.page) return slot.page
    // Kept only when it is complete: nobody waits for a page of another request, or gets its failure.
    const page = await render(props, messages, site)
    Object.assign(slot, { providers, page })
    return page
  }

  return async (props: SignInPageProps, messages: PageMessages): Promise<PageOutcome> => {
    const { csrfToken, callbackUrl, error, failure, email, errorReport } = props
    const site = applicationName ?? parseWebUrl(callbackUrl)?.host
    const isSame = [error, failure, email, errorReport].every((value) => value === undefined)
    const page = await (isSame ? getPage : render)(props, messages, site)
    const inputs = renderHiddenInputs(csrfToken, callbackUrl)
    return { ...page, html: page.html.split(hiddenInputsSlot.text).join(inputs.text) }
  }
}
