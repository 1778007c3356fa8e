/** Describes the built-in pages. */
import type { ConfirmPageProps, VerifyRequestPageProps } from "./email-pages.ts"
import type {
  ErrorPageProps,
  NotFoundPageProps,
  SignedInPageProps,
  SignOutPageProps,
} from "./message-pages.ts"
import type {
  AddPasskeyPageProps,
  EmailSetupPageProps,
  RecoveryCodesPageProps,
  SecondFactorPageProps,
  SetupPageProps,
} from "./second-factor-page.ts"
import type { SignInPageProps } from "./sign-in-page.ts"

/** A page with the values that it shows. */
export type PageDescription =
  | ({ readonly page: "sign-in" } & SignInPageProps)
  | ({ readonly page: "signed-in" } & SignedInPageProps)
  | ({ readonly page: "sign-out" } & SignOutPageProps)
  | ({ readonly page: "error" } & ErrorPageProps)
  | ({ readonly page: "not-found" } & NotFoundPageProps)
  | ({ readonly page: "verify-request" } & VerifyRequestPageProps)
  | ({ readonly page: "confirm" } & ConfirmPageProps)
  | ({ readonly page: "second-factor" } & SecondFactorPageProps)
  | ({ readonly page: "second-factor-setup" } & SetupPageProps)
  | ({ readonly page: "email-codes-setup" } & EmailSetupPageProps)
  | ({ readonly page: "add-passkey" } & AddPasskeyPageProps)
  | ({ readonly page: "recovery-codes" } & RecoveryCodesPageProps)
