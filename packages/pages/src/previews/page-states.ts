/** Lists the states of the built-in pages, with made-up visitors. */
import { listCheckEmailStates, listConfirmStates } from "./email-states.ts"
import { errorReportSample } from "./error-report-sample.ts"
import type { PageState, PreviewedApplication } from "./page-state.ts"
import { listSecondFactorStates } from "./second-factor-states.ts"
import { listSignInStates } from "./sign-in-states.ts"

/** Returns the states in the order in which visitors may see them. */
export function listPageStates(application: PreviewedApplication): PageState[] {
  const { homeUrl, actionsUrl } = application
  const form = { csrfToken: "csrf-token", callbackUrl: homeUrl }
  return [
    ...listSignInStates(application),
    ...listCheckEmailStates(application),
    ...listConfirmStates(application),
    ...listSecondFactorStates(application),
    {
      name: "sign-out",
      title: "Sign out",
      description: { ...form, page: "sign-out", action: `${actionsUrl}/signout` },
    },
    ...listErrorStates(application),
  ]
}

function listErrorStates({ homeUrl, actionsUrl, providers }: PreviewedApplication): PageState[] {
  const page = { page: "error", homeUrl, signInUrl: `${actionsUrl}/signin` } as const
  const form = { csrfToken: "csrf-token", callbackUrl: homeUrl }
  const [provider] = providers
  const retryForm = provider && { ...form, action: provider.action, provider: provider.name }
  const signOutForm = { ...form, action: `${actionsUrl}/signout` }
  const failure = { ...page, error: "Configuration" }
  return [
    {
      name: "error-expired",
      title: "The sign-in has expired",
      description: { ...failure, reason: "expired", retryForm },
    },
    {
      name: "error-access-denied",
      title: "Access denied",
      description: { ...page, error: "AccessDenied" },
    },
    {
      name: "error-link-expired",
      title: "The sign-in link no longer works",
      description: { ...page, error: "Verification" },
    },
    {
      name: "error-too-many-requests",
      title: "Too many attempts",
      description: { ...page, error: "TooManyRequests" },
    },
    {
      name: "error-unavailable",
      title: "The database or a provider is unavailable",
      description: { ...failure, reason: "unavailable", retryForm },
    },
    {
      name: "error-still-signed-in",
      title: "The session could not be ended",
      description: { ...failure, reason: "still-signed-in", retryForm: signOutForm },
    },
    { name: "error-configuration", title: "Sign-in is unavailable", description: failure },
    { name: "error-unknown", title: "Another error", description: { ...page, error: "Unknown" } },
    {
      name: "not-found",
      title: "A path that does not exist",
      description: { page: "not-found", homeUrl },
    },
    {
      name: "error-report",
      title: "An error in development, with its report",
      description: { ...failure, errorReport: errorReportSample },
    },
  ]
}
