/** The page that offers the ways to sign in. */
import { passkeyScript } from "../assets/assets.ts"
import { html, type Markup, renderAttributes } from "../html.ts"
import type { PageMessages } from "../messages/page-messages.ts"
import { parseColor } from "../theme/color.ts"
import type { PageContent } from "./document.ts"
import { getSignInMessage } from "./error-messages.ts"
import type { ErrorReport } from "./error-report.ts"
import { hasInputs, type PageProvider } from "./page-provider.ts"
import {
  type ProviderFormProps,
  renderPasskeyRegistration,
  renderProviderForm,
} from "./provider-form.ts"
import { renderProviderIcons } from "./provider-icons.ts"
import { orderProviders, type ProviderOrder } from "./provider-order.ts"
import { renderButtonsForm } from "./remember-me.ts"
import { parseWebUrl, sanitizeUrl } from "./urls.ts"

export interface SignInPageProps {
  csrfToken: string | undefined
  callbackUrl: string
  /** Initial value of the email form. */
  email?: string | undefined
  /** In the order of the configuration. */
  providers: readonly PageProvider[]
  /** Id of the provider that this browser signed in with the last time. */
  lastUsed?: string | undefined
  /** Error code of the query, which selects the message. */
  error?: string | undefined
  /** Code of `CredentialsSignin`, for tests and scripts. The page does not show it. */
  code?: string | undefined
  /** The sign-in that failed. */
  failure?: SignInFailure | undefined
  /** Whether the checkbox "Keep me signed in" is checked; undefined if there is none. */
  rememberMe?: boolean | undefined
  /** The application's registration page. */
  signUpUrl?: string | undefined
  /** Details for the developer, next to an error. */
  errorReport?: ErrorReport | undefined
}

/** A sign-in that failed: the id of its provider, and what the visitor typed and chose. */
export interface SignInFailure {
  readonly provider: string
  readonly identifier?: string | undefined
  readonly rememberMe?: boolean | undefined
  /** The passkey that was used, if the server does not have it. */
  readonly unknownPasskey?: { readonly rpId: string; readonly id: string } | undefined
}

/** Renders the page. */
export async function renderSignInPage(
  props: SignInPageProps,
  messages: PageMessages,
  applicationName: string | undefined,
): Promise<PageContent> {
  const { markup } = messages
  const { providers, callbackUrl, errorReport } = props
  const site = applicationName ?? parseWebUrl(callbackUrl)?.host
  return {
    title: messages.text("signInHeading"),
    rootClass: "signin",
    brandColors: providers.map(({ style }) => parseColor(style?.brandColor)),
    errorReport,
    ...(providers.some(({ passkey }) => passkey) && { script: passkeyScript }),
    card: html`<header>
<h1>${site ? markup("signInTo", { site }) : markup("signInHeading")}</h1>
</header>
${await renderMethods(props, messages)}`,
  }
}

async function renderMethods(props: SignInPageProps, messages: PageMessages): Promise<Markup> {
  const { markup } = messages
  const { providers, signUpUrl } = props
  const order = orderProviders(props)
  const { primary, others, openForm } = order
  if (!primary) return html`<p class="note">${markup("noSignInMethods")}</p>\n`
  const icons = await renderProviderIcons(providers)
  const formContext = {
    ...props,
    messages,
    icons,
    offersPasskeys: providers.some(({ passkey }) => passkey?.autofill),
  }
  const getProps = (provider: PageProvider) => createFormProps(formContext, provider, order)
  const buttonsForm = renderButtonsForm(props, messages)
  const rows = others.map((provider, index) => {
    const hasDivider = provider === openForm || (index === 0 && hasInputs(primary))
    return html`${provider === openForm && buttonsForm}${hasDivider && html`<p class="or">${markup("or")}</p>\n`}${renderBlock(getProps(provider))}`
  })
  const registrations = providers.map((provider) => renderPasskeyRegistration(getProps(provider)))
  return html`${renderMessage(props, messages, !order.isFormFocused)}${renderBlock(getProps(primary))}${rows}${!openForm && buttonsForm}\
${signUpUrl && renderSignUpLink(signUpUrl, messages)}${registrations}`
}

function renderMessage(
  { error, code }: SignInPageProps,
  { markup }: PageMessages,
  hasFocus: boolean,
): Markup | undefined {
  if (!error) return undefined
  const { text, isNotice } = getSignInMessage(error)
  const isSafeCode = error === "CredentialsSignin" && code && /^[\w.-]{1,64}$/.test(code)
  const attributes = renderAttributes({
    class: isNotice ? "error notice" : "error",
    id: "error",
    role: "alert",
    "data-code": isSafeCode ? code : undefined,
    // Screen readers read it. If there is an input, that has the focus, and the message describes it.
    tabindex: hasFocus && "-1",
    autofocus: hasFocus,
  })
  return html`<div${attributes}>
<p>${markup(text)}</p>
</div>
`
}

/** The values that the forms of a page share. */
type PageFormContext = SignInPageProps &
  Pick<ProviderFormProps, "messages" | "offersPasskeys"> & {
    readonly icons: ReadonlyMap<PageProvider, Markup>
  }

function createFormProps(
  context: PageFormContext,
  provider: PageProvider,
  { primary, failed, openForm, firstForm, isFormFocused }: ProviderOrder,
): ProviderFormProps {
  const { error, failure, lastUsed } = context
  const isPrimary = provider === primary
  const isFailed = provider === failed
  return {
    ...context,
    provider,
    icon: context.icons.get(provider),
    presentation: isPrimary ? "primary" : provider === openForm ? "open" : "collapsed",
    wasLastUsed: provider.id === lastUsed,
    isFirstForm: provider === firstForm,
    autofocus: isPrimary && isFormFocused,
    hasError: isPrimary && isFormFocused && Boolean(error),
    isInvalid: isFailed && error !== undefined && getSignInMessage(error).isAboutInput === true,
    identifier: failure?.provider === provider.id && isFailed ? failure.identifier : undefined,
    unknownPasskey: failure?.provider === provider.id ? failure.unknownPasskey : undefined,
  }
}

function renderBlock(props: ProviderFormProps): Markup {
  return html`<div class="provider">\n${renderProviderForm(props)}\n</div>\n`
}

function renderSignUpLink(url: string, { markup }: PageMessages): Markup {
  const link = html`<a class="site" href="${sanitizeUrl(url)}">${markup("createAccount")}</a>`
  return html`<p class="note">${markup("newHere")} ${link}</p>\n`
}
