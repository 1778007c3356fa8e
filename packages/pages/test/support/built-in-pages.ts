/** The built-in pages of a theme, without the actions that show them. */

import english from "@latchkey/pages/languages/en"
import type { Language } from "../../src/messages/messages.ts"
import type { RenderedPage } from "../../src/pages/document.ts"
import type { ConfirmPageProps, VerifyRequestPageProps } from "../../src/pages/email-pages.ts"
import type {
  ErrorPageProps,
  NotFoundPageProps,
  SignOutPageProps,
} from "../../src/pages/message-pages.ts"
import type { PageDescription } from "../../src/pages/page-description.ts"
import { createPageRenderer } from "../../src/pages/renderer.ts"
import type { SignInPageProps } from "../../src/pages/sign-in-page.ts"
import type { Theme } from "../../src/theme/theme.ts"

export interface Pages {
  signIn(props: SignInPageProps): Promise<RenderedPage>
  signOut(props: SignOutPageProps): Promise<RenderedPage>
  error(props: ErrorPageProps): Promise<RenderedPage>
  notFound(props: NotFoundPageProps): Promise<RenderedPage>
  verifyRequest(props: VerifyRequestPageProps): Promise<RenderedPage>
  confirm(props: ConfirmPageProps): Promise<RenderedPage>
}

export function createPages(theme: Theme, language: Language = english): Pages {
  const renderPage = createPageRenderer(theme)
  const render = (description: PageDescription) => renderPage(description, language)
  return {
    signIn: (props) => render({ page: "sign-in", ...props }),
    signOut: (props) => render({ page: "sign-out", ...props }),
    error: (props) => render({ page: "error", ...props }),
    notFound: (props) => render({ page: "not-found", ...props }),
    verifyRequest: (props) => render({ page: "verify-request", ...props }),
    confirm: (props) => render({ page: "confirm", ...props }),
  }
}
