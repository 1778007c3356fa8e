/** The checkbox "Keep me signed in" of the sign-in page. */
import { html, type Markup } from "../html.ts"
import type { PageMessages } from "../messages/page-messages.ts"
import { renderHiddenInputs, renderInput } from "./input.ts"
import { hasInputs, type PageProvider } from "./page-provider.ts"

/** The id of the form that providers without inputs share, because one box is for all their buttons. */
export const buttonsFormId = "remember-me"

interface RememberMeProps {
  /** Whether the box is checked; undefined if there is none. */
  readonly rememberMe?: boolean | undefined
}

interface ButtonsFormProps extends RememberMeProps {
  readonly providers: readonly PageProvider[]
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
}

interface ProviderProps extends RememberMeProps {
  readonly provider: PageProvider
  readonly messages: PageMessages
}

/** Whether a provider is a button of the form that several providers share. */
export function isInButtonsForm({ rememberMe, provider }: ProviderProps): boolean {
  return rememberMe !== undefined && !hasInputs(provider) && !provider.passkey
}

/** Renders the form of the providers without inputs, whose buttons are elsewhere on the page. */
export function renderButtonsForm(
  { rememberMe, providers, csrfToken, callbackUrl }: ButtonsFormProps,
  messages: PageMessages,
): Markup | undefined {
  if (rememberMe === undefined || providers.every(hasInputs)) return undefined
  return html`<form class="remember" id="${buttonsFormId}" method="post">
${renderHiddenInputs(csrfToken, callbackUrl)}${renderBox(rememberMe, buttonsFormId, messages)}</form>
`
}

/** Renders the box of a provider's own form. The script of a passkey copies that of the buttons. */
export function renderRememberMe(
  { rememberMe, provider, messages }: ProviderProps,
  idPart: string = provider.id,
): Markup | undefined {
  const hasOwnField = Object.hasOwn(provider.fields ?? {}, "rememberMe")
  if (rememberMe === undefined || hasOwnField) return undefined
  if (hasInputs(provider) || idPart !== provider.id) return renderBox(rememberMe, idPart, messages)
  return renderHidden(rememberMe)
}

/** Renders a box. A browser sends nothing for one that is not checked, so a hidden input says no before it. */
function renderBox(isChecked: boolean, idPart: string, { text }: PageMessages): Markup {
  const field = { type: "checkbox", label: text("rememberMe"), value: "true", checked: isChecked }
  return html`${renderHidden(false)}${renderInput("rememberMe", field, idPart, {})}\n`
}

const renderHidden = (value: boolean): Markup =>
  html`<input type="hidden" name="rememberMe" value="${String(value)}">\n`
