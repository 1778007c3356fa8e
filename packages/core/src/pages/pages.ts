/**
 * The built-in pages: nothing from third parties, no script but that of a passkey form, and a policy that allows
 * neither.
 */
import type { Theme } from "../types.ts"
import { type ConfirmProps, confirmPage } from "./confirm.ts"
import { createDocument, type Page } from "./document.ts"
import { type ErrorProps, errorPage } from "./error.ts"
import { type SignInProps, signInPage } from "./sign-in.ts"
import { type SignOutProps, signOutPage } from "./sign-out.ts"
import { type VerifyRequestProps, verifyRequestPage } from "./verify-request.ts"

export type { Page } from "./document.ts"
export type { PageProvider } from "./provider.ts"

/** The built-in pages in the appearance of a theme. */
export interface Pages {
  signIn(props: SignInProps): Promise<Page>
  signOut(props: SignOutProps): Promise<Page>
  /** Answers 500 for `Configuration`, 403 for `AccessDenied` and `Verification`, 429 for `TooManyRequests`. */
  error(props: ErrorProps): Promise<Page>
  verifyRequest(props: VerifyRequestProps): Promise<Page>
  /** "Continue as …", before a sign-in link is used. */
  confirm(props: ConfirmProps): Promise<Page>
}

/** Creates the pages. What the theme holds that is no colour or image is left out. */
export function createPages(theme: Theme): Pages {
  const render = createDocument(theme)
  return {
    signIn: (props) => render(signInPage(props)),
    signOut: (props) => render(signOutPage(props)),
    error: (props) => render(errorPage(props)),
    verifyRequest: (props) => render(verifyRequestPage(props)),
    confirm: (props) => render(confirmPage(props)),
  }
}
