/**
 * The built-in pages: nothing from third parties, no script but that of a passkey form, and a policy that allows
 * neither.
 */
import type { Theme } from "../types.ts"
import { type ConfirmPageProps, renderConfirmPage } from "./confirm-page.ts"
import { createPageRenderer, type Page } from "./document.ts"
import { type ErrorPageProps, renderErrorPage } from "./error-page.ts"
import { renderSignInPage, type SignInPageProps } from "./sign-in-page.ts"
import { renderSignOutPage, type SignOutPageProps } from "./sign-out-page.ts"
import { renderVerifyRequestPage, type VerifyRequestPageProps } from "./verify-request-page.ts"

export type { Page } from "./document.ts"
export type { PageProvider } from "./page-provider.ts"

/** The built-in pages in the appearance of a theme. */
export interface Pages {
  signIn(props: SignInPageProps): Promise<Page>
  signOut(props: SignOutPageProps): Promise<Page>
  /** Answers 500 for `Configuration`, 403 for `AccessDenied` and `Verification`, 429 for `TooManyRequests`. */
  error(props: ErrorPageProps): Promise<Page>
  verifyRequest(props: VerifyRequestPageProps): Promise<Page>
  /** "Continue as …", before a sign-in link is used. */
  confirm(props: ConfirmPageProps): Promise<Page>
}

/** Creates the pages. What the theme holds that is no colour or image is left out. */
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
