/** Renders the built-in pages. */
import type { Theme } from "../types.ts"
import { createDocumentRenderer, type PageContent } from "./document.ts"
import { renderConfirmPage, renderVerifyRequestPage } from "./email-pages.ts"
import {
  renderErrorPage,
  renderNotFoundPage,
  renderSignedInPage,
  renderSignOutPage,
} from "./message-pages.ts"
import type { MessagePage, PageServices, RenderPage } from "./page-description.ts"
import { createPageMessages, type PageMessages } from "./page-messages.ts"
import { createSignInRenderer } from "./sign-in-renderer.ts"

/** Creates the function that renders the pages of a configuration. Invalid colours and images are ignored. */
export function createRenderer({ config, selectLanguage }: PageServices): RenderPage {
  const renderDocument = createDocumentRenderer(config.theme)
  const renderSignIn = createSignInRenderer(renderDocument, config.theme.name)
  return async (description, request) => {
    const messages = createPageMessages(await selectLanguage(request))
    if (description.page === "sign-in") return renderSignIn(description, messages)
    return renderDocument(renderContent(description, messages, config.theme), messages)
  }
}

function renderContent(
  description: MessagePage,
  messages: PageMessages,
  { name }: Theme,
): PageContent {
  switch (description.page) {
    case "signed-in":
      return renderSignedInPage(description, messages, name)
    case "sign-out":
      return renderSignOutPage(description, messages)
    case "error":
      return renderErrorPage(description, messages)
    case "not-found":
      return renderNotFoundPage(description, messages)
    case "verify-request":
      return renderVerifyRequestPage(description, messages)
    case "confirm":
      return renderConfirmPage(description, messages)
  }
}
