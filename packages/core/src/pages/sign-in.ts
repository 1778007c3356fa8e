/** The page that offers the ways to sign in. */
import type { TraceReport } from "../http/trace.ts"
import type { Color } from "./color.ts"
import type { Content } from "./document.ts"
import { attributes, html, type Markup } from "./html.ts"
import { hostOf } from "./links.ts"
import { signInMessage } from "./messages.ts"
import { parseColor } from "./parse-color.ts"
import { passkeyScript } from "./passkey-script.ts"
import type { PageProvider } from "./provider.ts"
import { isOneButton, providerForm } from "./provider-form.ts"
import { tintClass } from "./stylesheet.ts"

/** What the sign-in page shows. */
export interface SignInProps {
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
  trace?: TraceReport | undefined
}

/** The sign-in page. */
export function signInPage(props: SignInProps): Content {
  const tints = brandColors(props.providers)
  const host = hostOf(props.callbackUrl)
  return {
    title: "Sign In",
    root: "signin",
    tints,
    trace: props.trace,
    ...(props.providers.some(({ passkey }) => passkey) ? { script: passkeyScript } : {}),
    card: html`<header>
<h1>Sign in</h1>
${host && html`<p>to continue to <strong>${host}</strong></p>\n`}</header>
${errorBox(props)}${providerList(props, tints)}`,
  }
}

function errorBox({ error, code }: SignInProps): Markup | undefined {
  if (!error) return undefined
  const { text, tone } = signInMessage(error)
  const known = error === "CredentialsSignin" && code && /^[\w.-]{1,64}$/.test(code)
  return html`<div${attributes({
    class: tone === "notice" ? "error notice" : "error",
    id: "error",
    role: "alert",
    "data-code": known ? code : undefined,
  })}>
<p>${text}</p>
</div>
`
}

function providerList(props: SignInProps, tints: readonly Color[]): Markup {
  const { providers, error } = props
  if (providers.length === 0) return html`<p class="note">There is no way to sign in yet.</p>`
  const firstForm = providers.find((provider) => !isOneButton(provider))
  const blocks = providers.map((provider, index) => {
    const color = parseColor(provider.style?.brandColor)
    const form = providerForm({
      provider,
      csrfToken: props.csrfToken,
      callbackUrl: props.callbackUrl,
      email: props.email,
      describedBy: error ? "error" : undefined,
      // Otherwise the focus would lead past the error, or past the buttons above.
      autofocus: !error && index === 0,
      first: provider === firstForm,
      tint: color && tintClass(tints.indexOf(color)),
    })
    return html`${divider(providers[index - 1], provider)}<div class="provider">\n${form}\n</div>\n`
  })
  return html`${blocks}`
}

/** Stands between two ways to sign in, unless both are a button. */
function divider(previous: PageProvider | undefined, next: PageProvider): Markup | undefined {
  if (!previous || (isOneButton(previous) && isOneButton(next))) return undefined
  return html`<p class="or">or</p>\n`
}

function brandColors(providers: readonly PageProvider[]): Color[] {
  const colors = providers.map(({ style }) => parseColor(style?.brandColor))
  return [...new Set(colors.filter((color) => color !== undefined))]
}
