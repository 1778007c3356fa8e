/** The page for everything that went wrong beyond the sign-in page. */
import type { TraceReport } from "../http/trace.ts"
import type { Content } from "./document.ts"
import { html, type Markup } from "./html.ts"
import { webUrl } from "./links.ts"
import { alert, lock } from "./marks.ts"
import { siteLink } from "./site-link.ts"

/** What the error page shows. */
export interface ErrorProps {
  /** Error code of the query; the page shows a message of its own for it. */
  error?: string | undefined
  /** URL of the sign-in page. */
  signInUrl: string
  /** URL of the application. */
  homeUrl: string
  /** For the developer. */
  trace?: TraceReport | undefined
}

interface Failure {
  readonly status: number
  readonly heading: string
  readonly text: string
  readonly mark: Markup
  /** Whether trying again may help. */
  readonly retry?: boolean
}

const fallback: Failure = {
  status: 200,
  heading: "Error",
  text: "Something went wrong. Please go back and try again.",
  mark: alert,
}

const failures: ReadonlyMap<string, Failure> = new Map<string, Failure>([
  [
    "Configuration",
    {
      status: 500,
      heading: "Server error",
      text: "Signing in is not possible right now. If this is your server, its log says why.",
      mark: alert,
    },
  ],
  [
    "AccessDenied",
    {
      status: 403,
      heading: "Access Denied",
      text: "You do not have permission to sign in.",
      mark: lock,
      retry: true,
    },
  ],
  [
    "Verification",
    {
      status: 403,
      heading: "Unable to sign in",
      text: "This sign-in link has expired or was already used.",
      mark: alert,
      retry: true,
    },
  ],
  [
    "TooManyRequests",
    {
      status: 429,
      heading: "Too many attempts",
      text: "Please wait a few minutes, then try again.",
      mark: alert,
    },
  ],
])

/** The error page. */
export function errorPage({ error = "", signInUrl, homeUrl, trace }: ErrorProps): Content {
  const { status, heading, text, mark, retry } = failures.get(error) ?? fallback
  const link = html`<a class="button main" href="${webUrl(signInUrl)}">Sign in</a>`
  return {
    title: "Error",
    root: "error",
    status,
    trace,
    card: html`<header>
<div class="emblem">${mark}</div>
<h1>${heading}</h1>
<p>${text}</p>
</header>
${retry ? link : siteLink(homeUrl)}
`,
  }
}
