/** The page that offers the ways to sign in. */
import type { ErrorReport } from "../http/error-report.ts"
import type { Color } from "./color.ts"
import type { PageContent } from "./document.ts"
import { html, type Markup, renderAttributes } from "./html.ts"
import { parseHost } from "./links.ts"
import { getSignInMessage } from "./messages.ts"
import type { PageProvider } from "./page-provider.ts"
import { parseColor } from "./parse-color.ts"
import { passkeyScript } from "./passkey-script.ts"
import { isButtonOnly, renderProviderForm } from "./provider-form.ts"
import { createBrandColorClass } from "./stylesheet.ts"

/** What the sign-in page shows. */
export interface SignInPageProps {
  /** In the order of the page. */
  providers: readonly PageProvider[]
  csrfToken: string | undefined
  callbackUrl: string
  /** Error code of the query; the page shows a message of its own for it. */
  error?: string | undefined
  /** Code of `CredentialsSignin`, for tests and scripts: it is not shown. */
  code?: string | undefined
  /** Fills in the e-mail form. */
  email?: string | undefined
  /** For the developer, beside an error. */
  errorReport?: ErrorReport | undefined
}

/** The sign-in page. */
export function renderSignInPage(props: SignInPageProps): PageContent {
  const brandColors = collectBrandColors(props.providers)
  const host = parseHost(props.callbackUrl)
  return {
    title: "Sign In",
    rootClass: "signin",
    brandColors,
    errorReport: props.errorReport,
    ...(props.providers.some(({ passkey }) => passkey) ? { script: passkeyScript } : {}),
    card: html`<header>
<h1>Sign in</h1>
${host && html`<p>to continue to <strong>${host}</strong></p>\n`}</header>
${renderError(props)}${renderProviders(props, brandColors)}`,
  }
}

function renderError({ error, code }: SignInPageProps): Markup | undefined {
  if (!error) return undefined
  const { text, tone } = getSignInMessage(error)
  const isSafeCode = error === "CredentialsSignin" && code && /^[\w.-]{1,64}$/.test(code)
  return html`<div${renderAttributes({
    class: tone === "notice" ? "error notice" : "error",
    id: "error",
    role: "alert",
    "data-code": isSafeCode ? code : undefined,
  })}>
<p>${text}</p>
</div>
`
}

function renderProviders(props: SignInPageProps, brandColors: readonly Color[]): Markup {
  const { providers, error } = props
  if (providers.length === 0) return html`<p class="note">There is no way to sign in yet.</p>`
  const firstForm = providers.find((provider) => !isButtonOnly(provider))
  const blocks = providers.map((provider, index) => {
    const color = parseColor(provider.style?.brandColor)
    const form = renderProviderForm({
      provider,
      csrfToken: props.csrfToken,
      callbackUrl: props.callbackUrl,
      email: props.email,
      describedBy: error ? "error" : undefined,
      // Otherwise the focus would lead past the error, or past the buttons above.
      autofocus: !error && index === 0,
      isFirstForm: provider === firstForm,
      brandColorClass: color && createBrandColorClass(brandColors.indexOf(color)),
    })
    return html`${renderDivider(providers[index - 1], provider)}<div class="provider">\n${form}\n</div>\n`
  })
  return html`${blocks}`
}

/** Stands between two ways to sign in, unless both are a button. */
function renderDivider(previous: PageProvider | undefined, next: PageProvider): Markup | undefined {
  if (!previous || (isButtonOnly(previous) && isButtonOnly(next))) return undefined
  return html`<p class="or">or</p>\n`
}

function collectBrandColors(providers: readonly PageProvider[]): Color[] {
  const colors = providers.map(({ style }) => parseColor(style?.brandColor))
  return [...new Set(colors.filter((color) => color !== undefined))]
}
