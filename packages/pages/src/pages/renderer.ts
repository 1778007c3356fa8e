/** Renders the built-in pages. */
import type { Language } from "../messages/messages.ts"
import { createPageMessages, type PageMessages } from "../messages/page-messages.ts"
import type { Theme } from "../theme/theme.ts"
import { createDocumentRenderer, type PageContent, type RenderedPage } from "./document.ts"
import { renderConfirmPage, renderVerifyRequestPage } from "./email-pages.ts"
import {
  renderErrorPage,
  renderNotFoundPage,
  renderSignedInPage,
  renderSignOutPage,
} from "./message-pages.ts"
import type { PageDescription } from "./page-description.ts"
import {
  renderAddPasskeyPage,
  renderEmailSetupPage,
  renderRecoveryCodesPage,
  renderSecondFactorPage,
  renderSetupPage,
} from "./second-factor-page.ts"
import { renderSignInPage } from "./sign-in-page.ts"

/** Renders a built-in page in a language. It loads nothing from other servers, except the images of the theme. */
export type PageRenderer = (
  description: PageDescription,
  language: Language,
) => Promise<RenderedPage>

/** Creates the function that renders pages in a theme, whose invalid colours and images are ignored. */
export function createPageRenderer(theme: Theme): PageRenderer {
  const renderDocument = createDocumentRenderer(theme)
  return async (description, language) => {
    const messages = createPageMessages(language)
    return renderDocument(await renderContent(description, messages, theme.name), messages)
  }
}

function renderContent(
  description: PageDescription,
  messages: PageMessages,
  applicationName: string | undefined,
): PageContent | Promise<PageContent> {
  switch (description.page) {
    case "sign-in":
      return renderSignInPage(description, messages, applicationName)
    case "signed-in":
      return renderSignedInPage(description, messages, applicationName)
    case "sign-out":
      return renderSignOutPage(description, messages)
    case "error":
      return renderErrorPage(description, messages, applicationName)
    case "not-found":
      return renderNotFoundPage(description, messages)
    case "verify-request":
      return renderVerifyRequestPage(description, messages, applicationName)
    case "confirm":
      return renderConfirmPage(description, messages, applicationName)
    case "second-factor":
      return renderSecondFactorPage(description, messages)
    case "second-factor-setup":
      return renderSetupPage(description, messages)
    case "email-codes-setup":
      return renderEmailSetupPage(description, messages)
    case "add-passkey":
      return renderAddPasskeyPage(description, messages)
    case "recovery-codes":
      return renderRecoveryCodesPage(description, messages)
  }
}
