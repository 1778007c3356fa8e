/** The page for everything that went wrong beyond the sign-in page. */
import type { ErrorReport } from "../http/error-report.ts"
import type { PageContent } from "./document.ts"
import { html, type Markup } from "./html.ts"
import { alertIcon, lockIcon } from "./icons.ts"
import { sanitizeUrl } from "./links.ts"
import { renderSiteLink } from "./site-link.ts"

/** What the error page shows. */
export interface ErrorPageProps {
  /** Error code of the query; the page shows a message of its own for it. */
  error?: string | undefined
  /** URL of the sign-in page. */
  signInUrl: string
  /** URL of the application. */
  homeUrl: string
  /** For the developer. */
  errorReport?: ErrorReport | undefined
}

interface ErrorContent {
  readonly status: number
  readonly heading: string
  readonly text: string
  readonly icon: Markup
  /** Whether trying again may help. */
  readonly canRetry?: boolean
}

const defaultContent: ErrorContent = {
  status: 200,
  heading: "Error",
  text: "Something went wrong. Please go back and try again.",
  icon: alertIcon,
}

const contentByError: ReadonlyMap<string, ErrorContent> = new Map<string, ErrorContent>([
  [
    "Configuration",
    {
      status: 500,
      heading: "Server error",
      text: "Signing in is not possible right now. If this is your server, its log says why.",
      icon: alertIcon,
    },
  ],
  [
    "AccessDenied",
    {
      status: 403,
      heading: "Access Denied",
      text: "You do not have permission to sign in.",
      icon: lockIcon,
      canRetry: true,
    },
  ],
  [
    "Verification",
    {
      status: 403,
      heading: "Unable to sign in",
      text: "This sign-in link has expired or was already used.",
      icon: alertIcon,
      canRetry: true,
    },
  ],
  [
    "TooManyRequests",
    {
      status: 429,
      heading: "Too many attempts",
      text: "Please wait a few minutes, then try again.",
      icon: alertIcon,
    },
  ],
])

/** The error page. */
export function renderErrorPage({
  error = "",
  signInUrl,
  homeUrl,
  errorReport,
}: ErrorPageProps): PageContent {
  const { status, heading, text, icon, canRetry } = contentByError.get(error) ?? defaultContent
  const link = html`<a class="button main" href="${sanitizeUrl(signInUrl)}">Sign in</a>`
  return {
    title: "Error",
    rootClass: "error",
    status,
    errorReport: errorReport,
    card: html`<header>
<div class="emblem">${icon}</div>
<h1>${heading}</h1>
<p>${text}</p>
</header>
${canRetry ? link : renderSiteLink(homeUrl)}
`,
  }
}
