/** Describes the built-in pages to the actions, which do not load the code that renders them. */
import type { CoreServices } from "../config/core-services.ts"
import type { LanguageRequest } from "../config/select-language.ts"
import type { PageOutcome } from "../http/action-outcome.ts"
import type { ConfirmPageProps, VerifyRequestPageProps } from "./email-pages.ts"
import type {
  ErrorPageProps,
  NotFoundPageProps,
  SignedInPageProps,
  SignOutPageProps,
} from "./message-pages.ts"
import type { SignInPageProps } from "./sign-in-page.ts"

/** A page with the values that it shows. */
export type PageDescription = ({ readonly page: "sign-in" } & SignInPageProps) | MessagePage

/** A page without the ways to sign in. */
export type MessagePage =
  | ({ readonly page: "signed-in" } & SignedInPageProps)
  | ({ readonly page: "sign-out" } & SignOutPageProps)
  | ({ readonly page: "error" } & ErrorPageProps)
  | ({ readonly page: "not-found" } & NotFoundPageProps)
  | ({ readonly page: "verify-request" } & VerifyRequestPageProps)
  | ({ readonly page: "confirm" } & ConfirmPageProps)

/**
 * Renders a built-in page in the language of the request. It loads nothing from other servers, except the logo of the
 * theme.
 */
export type RenderPage = (
  description: PageDescription,
  request: LanguageRequest,
) => Promise<PageOutcome>

/** The parts of a configuration that the pages need. */
export interface PageServices extends Pick<CoreServices, "selectLanguage"> {
  readonly config: Pick<CoreServices["config"], "theme">
}
