/** The built-in pages. They load nothing from other servers, and only the passkey form has a script. */
import type { Theme } from "../types.ts"
import { createPageRenderer, type Page } from "./document.ts"
import { type ConfirmPageProps, renderConfirmPage, renderVerifyRequestPage } from "./email-pages.ts"
import { type ErrorPageProps, renderErrorPage } from "./error-page.ts"
import { renderSignInPage, type SignInPageProps } from "./sign-in-page.ts"
import { renderSignOutPage, type SignOutPageProps } from "./sign-out-page.ts"

export type { Page } from "./document.ts"
export type { PageProvider } from "./provider-form.ts"

/** The built-in pages of one theme. */
export interface Pages {
  signIn(props: SignInPageProps): Promise<Page>
  signOut(props: SignOutPageProps): Promise<Page>
  /** Has status 500 for `Configuration`, 403 for `AccessDenied` and `Verification`, 429 for `TooManyRequests`. */
  error(props: ErrorPageProps): Promise<Page>
  verifyRequest(props: { homeUrl: string }): Promise<Page>
  /** Asks for confirmation before a sign-in link is used. */
  confirm(props: ConfirmPageProps): Promise<Page>
}

/** Creates the pages of a theme. Invalid colours and images are ignored. */
export function createPages(theme: Theme): Pages {
  const render = createPageRenderer(theme)
  return {
    signIn: (props) => render(renderSignInPage(props)),
    signOut: (props) => render(renderSignOutPage(props)),
    error: (props) => render(renderErrorPage(props)),
    verifyRequest: (props) => render(renderVerifyRequestPage(props)),
    confirm: (props) => render(renderConfirmPage(props)),
  }
}
