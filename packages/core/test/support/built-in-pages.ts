/** The built-in pages of a theme, without the actions that show them. */
import type { PageOutcome } from "../../src/http/action-outcome.ts"
import english from "../../src/languages/en.ts"
import type { Language } from "../../src/languages/messages.ts"
import type { ConfirmPageProps, VerifyRequestPageProps } from "../../src/pages/email-pages.ts"
import type {
  ErrorPageProps,
  NotFoundPageProps,
  SignOutPageProps,
} from "../../src/pages/message-pages.ts"
import type { PageDescription } from "../../src/pages/page-description.ts"
import { createPageRenderer } from "../../src/pages/render-page.ts"
import type { SignInPageProps } from "../../src/pages/sign-in-page.ts"
import type { Theme } from "../../src/types.ts"

export interface Pages {
  signIn(props: SignInPageProps): Promise<PageOutcome>
  signOut(props: SignOutPageProps): Promise<PageOutcome>
  error(props: ErrorPageProps): Promise<PageOutcome>
  notFound(props: NotFoundPageProps): Promise<PageOutcome>
  verifyRequest(props: VerifyRequestPageProps): Promise<PageOutcome>
  confirm(props: ConfirmPageProps): Promise<PageOutcome>
}

export function createPages(theme: Theme, language: Language = english): Pages {
  const renderPage = createPageRenderer({ config: { theme }, selectLanguage: async () => language })
  const request = { url: new URL("https://app.example/auth/signin"), headers: new Headers() }
  const render = (description: PageDescription) => renderPage(description, request)
  return {
    signIn: (props) => render({ page: "sign-in", ...props }),
    signOut: (props) => render({ page: "sign-out", ...props }),
    error: (props) => render({ page: "error", ...props }),
    notFound: (props) => render({ page: "not-found", ...props }),
    verifyRequest: (props) => render({ page: "verify-request", ...props }),
    confirm: (props) => render({ page: "confirm", ...props }),
  }
}
