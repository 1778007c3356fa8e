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

/** A page without hidden inputs, and its HTML before, between and after them. */
interface SharedPage {
  readonly outcome: PageOutcome
  readonly parts: readonly string[]
}

interface PageSlot {
  providers?: SignInPageProps["providers"]
  page?: SharedPage
}

/** Creates the function that renders the sign-in pages of an application. */
export function createSignInRenderer(
  renderDocument: RenderDocument,
  applicationName: string | undefined,
) {
  const getSlot = memoize((_key: string): PageSlot => ({}), maxPages)
  const getHost = memoize((url: string) => parseWebUrl(url)?.host, maxPages)

  /** Returns where the page of visitors who typed nothing yet is kept. */
  const findSlot = (
    { providers, lastUsed, signUpUrl, rememberMe }: SignInPageProps,
    { languageTag }: PageMessages,
    site: string | undefined,
  ): PageSlot => {
    const lastProvider = providers.find(({ id }) => id === lastUsed)?.id
    // The last action differs where visitors sign in again.
    const actions = [providers[0]?.action, providers.at(-1)?.action]
    const key = [languageTag, actions, lastProvider, signUpUrl, site, rememberMe]
    return getSlot(JSON.stringify(key))
  }

  return async (props: SignInPageProps, messages: PageMessages): Promise<PageOutcome> => {
    const { providers, csrfToken, callbackUrl, error, failure, email, errorReport } = props
    const site = applicationName ?? getHost(callbackUrl)
    const isSame = [error, failure, email, errorReport].every((value) => value === undefined)
    const slot = isSame ? findSlot(props, messages, site) : undefined
    let page = slot?.providers === providers ? slot.page : undefined
    if (!page) {
      const content = await renderSignInPage(props, messages, site)
      const outcome = await renderDocument(content, messages)
      page = { outcome, parts: outcome.html.split(hiddenInputsSlot.text) }
      // Kept only now: nobody waits for the page of another visitor, or gets its failure.
      if (slot) Object.assign(slot, { providers, page })
    }
    const inputs = renderHiddenInputs(csrfToken, callbackUrl)
    return { ...page.outcome, html: page.parts.join(inputs.text) }
  }
}
