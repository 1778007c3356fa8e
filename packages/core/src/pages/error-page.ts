/** The page for errors that do not lead back to the sign-in page. */
import type { ErrorReport } from "../http/error-report.ts"
import { renderHeader, renderSiteLink } from "./components.ts"
import type { PageContent } from "./document.ts"
import { html, type Markup } from "./html.ts"
import { alertIcon, lockIcon } from "./icons.ts"
import { sanitizeUrl } from "./urls.ts"

export interface ErrorPageProps {
  /** Error code of the query, which selects the message. */
  error?: string | undefined
  /** URL of the sign-in page. */
  signInUrl: string
  /** URL of the application. */
  homeUrl: string
  /** Details for the developer. */
  errorReport?: ErrorReport | undefined
}

interface ErrorContent {
  readonly status: number
  readonly heading: string
  readonly text: string
  /** @defaultValue an exclamation mark */
  readonly icon?: Markup
  /** Whether another attempt may succeed. */
  readonly canRetry?: boolean
}

const defaultContent: ErrorContent = {
  status: 200,
  heading: "Error",
  text: "Something went wrong. Please go back and try again.",
}

const contentByError: Readonly<Record<string, ErrorContent>> = {
  Configuration: {
    status: 500,
    heading: "Server error",
    text: "Sign-in is unavailable right now. If you run this server, check its log.",
  },
  AccessDenied: {
    status: 403,
    heading: "Access Denied",
    text: "You do not have permission to sign in.",
    icon: lockIcon,
    canRetry: true,
  },
  Verification: {
    status: 403,
    heading: "Unable to sign in",
    text: "This sign-in link has expired or was already used.",
    canRetry: true,
  },
  TooManyRequests: {
    status: 429,
    heading: "Too many attempts",
    text: "Please wait a few minutes, then try again.",
  },
}

/** Renders the error page, whose status depends on the error. */
export function renderErrorPage(props: ErrorPageProps): PageContent {
  const { error = "", signInUrl, homeUrl, errorReport } = props
  const ownContent = Object.hasOwn(contentByError, error) ? contentByError[error] : undefined
  const { status, heading, text, icon = alertIcon, canRetry } = ownContent ?? defaultContent
  const link = canRetry
    ? html`<a class="button main" href="${sanitizeUrl(signInUrl)}">Sign in</a>\n`
    : renderSiteLink(homeUrl)
  return {
    title: "Error",
    rootClass: "error",
    status,
    errorReport,
    card: html`${renderHeader(icon, heading, html`<p>${text}</p>`)}${link}`,
  }
}
