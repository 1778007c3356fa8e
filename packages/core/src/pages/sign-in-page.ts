/** The page that offers the ways to sign in. */
import { parseWebUrl } from "../config/web-url.ts"
import { passkeyScript } from "./assets.ts"
import { parseColor } from "./color.ts"
import type { PageContent } from "./document.ts"
import { html, type Markup, renderAttributes } from "./html.ts"
import { getSignInMessage, isNotice } from "./messages.ts"
import {
  type FormContext,
  isButtonOnly,
  type PageProvider,
  renderProviderForm,
} from "./provider-form.ts"
import { createBrandColorClass } from "./stylesheet.ts"

export interface SignInPageProps extends FormContext {
  /** In the order of the page. */
  providers: readonly PageProvider[]
  /** Code of `CredentialsSignin`, for tests and scripts. The page does not show it. */
  code?: string | undefined
  /** Details for the developer, next to an error. */
  errorReport?: Markup | undefined
}

/** Renders the sign-in page. */
export function renderSignInPage(props: SignInPageProps): PageContent {
  const { providers, errorReport } = props
  const host = parseWebUrl(props.callbackUrl)?.host
  return {
    title: "Sign In",
    rootClass: "signin",
    brandColors: providers.map(({ style }) => parseColor(style?.brandColor)),
    errorReport,
    ...(providers.some(({ passkey }) => passkey) && { script: passkeyScript }),
    card: html`<header>
<h1>Sign in</h1>
${host && html`<p>to continue to <strong>${host}</strong></p>\n`}</header>
${renderError(props)}${renderProviders(props)}`,
  }
}

function renderError({ error, code }: SignInPageProps): Markup | undefined {
  if (!error) return undefined
  const isSafeCode = error === "CredentialsSignin" && code && /^[\w.-]{1,64}$/.test(code)
  const attributes = renderAttributes({
    class: isNotice(error) ? "error notice" : "error",
    id: "error",
    role: "alert",
    "data-code": isSafeCode ? code : undefined,
  })
  return html`<div${attributes}>
<p>${getSignInMessage(error)}</p>
</div>
`
}

function renderProviders(props: SignInPageProps): Markup {
  const { providers, error } = props
  if (providers.length === 0) return html`<p class="note">No sign-in methods are configured.</p>`
  const firstForm = providers.find((provider) => !isButtonOnly(provider))
  const blocks = providers.map((provider, index) => {
    const previous = providers[index - 1]
    const hasDivider = previous && !(isButtonOnly(previous) && isButtonOnly(provider))
    const form = renderProviderForm({
      ...props,
      provider,
      // Otherwise the focus would skip the error or the buttons above.
      autofocus: !error && index === 0,
      isFirstForm: provider === firstForm,
      brandColorClass: parseColor(provider.style?.brandColor) && createBrandColorClass(index),
    })
    return html`${hasDivider && html`<p class="or">or</p>\n`}<div class="provider">\n${form}\n</div>\n`
  })
  return html`${blocks}`
}
