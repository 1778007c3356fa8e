/** The page that asks for confirmation before it signs the user out. */
import {
  type ButtonFormProps,
  renderButtonForm,
  renderHeader,
  renderSiteLink,
} from "./components.ts"
import type { PageContent } from "./document.ts"
import { html } from "./html.ts"
import { exitIcon } from "./icons.ts"

export interface SignOutPageProps extends ButtonFormProps {
  /** Where users go after signing out, or when they stay signed in. */
  callbackUrl: string
  /** Name or email address of the user who is signed in. */
  user?: string | undefined
}

/** Renders the sign-out page. */
export function renderSignOutPage(props: SignOutPageProps): PageContent {
  const { callbackUrl, user } = props
  const text = html`${user && html`<p>You are signed in as <strong>${user}</strong>.</p>\n`}\
<p>Are you sure you want to sign out?</p>`
  return {
    title: "Sign Out",
    rootClass: "signout",
    card: html`${renderHeader(exitIcon, "Signout", text)}\
${renderButtonForm(props, "Sign out")}\
${renderSiteLink(callbackUrl, "Stay signed in")}`,
  }
}
