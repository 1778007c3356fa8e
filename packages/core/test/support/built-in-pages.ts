/** The built-in pages of a theme, without the actions that show them. */
import type { PageOutcome } from "../../src/http/action-outcome.ts"
import { createPageRenderer } from "../../src/pages/document.ts"
import {
  type ConfirmPageProps,
  type ErrorPageProps,
  renderConfirmPage,
  renderErrorPage,
  renderSignOutPage,
  renderVerifyRequestPage,
  type SignOutPageProps,
} from "../../src/pages/message-pages.ts"
import { renderSignInPage, type SignInPageProps } from "../../src/pages/sign-in-page.ts"
import type { Theme } from "../../src/types.ts"

export interface Pages {
  signIn(props: SignInPageProps): Promise<PageOutcome>
  signOut(props: SignOutPageProps): Promise<PageOutcome>
  error(props: ErrorPageProps): Promise<PageOutcome>
  verifyRequest(props: { homeUrl: string }): Promise<PageOutcome>
  confirm(props: ConfirmPageProps): Promise<PageOutcome>
}

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
