/** For `@latchkey/cli` of the same version. Covered by no promise: it may change with any release. */
import type { Language } from "@latchkey/pages"
import { isLanguage, listPageStates } from "@latchkey/pages/previews"
import { createPageProviders } from "./actions/sign-in/signin.ts"
import type { AuthConfig } from "./config/auth-config.ts"
import { createCoreServices } from "./config/core-services.ts"
import { resolveConfig } from "./config/resolve-config.ts"
import { getErrorDocs } from "./errors/error-docs.ts"
import type { AuthError } from "./errors.ts"
import type { PageOutcome } from "./http/action-outcome.ts"
import { buildActionsUrl } from "./http/route.ts"
import { createTextRedactor } from "./logging/redact-text.ts"
import { createLanguageSelector, createPageRenderer } from "./pages/render-page.ts"
import { createSignInEmail } from "./providers/sign-in-email.ts"
import type { Theme } from "./types.ts"

export { type PreviewChoice, type PreviewIndex, renderPreviewIndex } from "@latchkey/pages/previews"

/** A page in one of its states. */
export interface PagePreview extends Pick<PageOutcome, "status" | "headers" | "html"> {
  /** Name for files and URLs, such as `sign-in-none`. */
  readonly name: string
  readonly title: string
}

export interface PagePreviewOptions {
  /** @defaultValue `"https://app.example"` */
  readonly origin?: string
  /** Tag of one of the configured languages. @defaultValue the first */
  readonly language?: string | undefined
  /** Replaces the colour scheme of the theme. */
  readonly colorScheme?: Theme["colorScheme"]
}

/** Returns the tags of the languages of a configuration. The first is the default. */
export function listPreviewLanguages({ languages = [] }: AuthConfig): readonly string[] {
  const tags = languages.filter(isLanguage).map(({ tag }) => tag)
  return tags.length > 0 ? tags : ["en"]
}

/** Renders the pages of a configuration in all their states, with made-up visitors. Buttons lead to the origin. */
export async function renderPagePreviews(
  authConfig: AuthConfig,
  { origin = "https://app.example", language, colorScheme }: PagePreviewOptions = {},
): Promise<PagePreview[]> {
  const config = resolveConfig({ ...authConfig, language: () => language })
  const theme = colorScheme ? { ...config.theme, colorScheme } : config.theme
  const { logger } = createCoreServices(config)
  const selectLanguage = createLanguageSelector(config, logger)
  const renderPage = createPageRenderer({ theme }, selectLanguage)
  const request = { url: new URL(origin), headers: new Headers() }
  const actionsUrl = buildActionsUrl(origin, config.basePath)
  const providers = [...config.providers.values()].flatMap((provider) =>
    createPageProviders(actionsUrl, provider),
  )
  const states = listPageStates({ homeUrl: origin, actionsUrl, providers })
  const pages = await Promise.all(
    states.map(async ({ name, title, description }) => {
      const { status, headers, html } = await renderPage(description, request)
      return { name, title, status, headers, html }
    }),
  )
  const hasEmail = providers.some(({ type }) => type === "email")
  if (!hasEmail) return pages
  const url = `${actionsUrl}/callback/email?token=t`
  return [...pages, previewMessage(url, theme, await selectLanguage(request))]
}

function previewMessage(url: string, theme: Theme, language: Language): PagePreview {
  const expires = new Date(Date.now() + 86_400_000)
  const { html } = createSignInEmail({ url, expires, theme, language, code: "314159" })
  return { name: "message", title: "The e-mail", status: 200, headers: {}, html }
}

/** An error in a configuration, or a warning about it. */
export interface ConfigProblem {
  /** With an error, every request is refused, or only `provider`. A warning is only logged, in development. */
  readonly level: "error" | "warning"
  /** Stable name: the type of the error, or the code of the warning. `docs/errors` has a page for each. */
  readonly type: string
  /** The provider that is left out because of the error: its id, or its path, such as `providers[1]`. */
  readonly provider?: string
  /** The path of the option, such as `session.maxAge`, `providers[1]` or `providers.google.clientId`. */
  readonly option: string
  readonly expected: string
  /** The value in the configuration, described without secrets. */
  readonly received?: string
  /** The change that fixes the problem. */
  readonly hint: string
  /** The option, `expected`, `received` and `hint` in one text. */
  readonly message: string
  /** How to read the page of the documentation: a command that prints it. */
  readonly docs: string
}

/**
 * Returns all problems of a configuration, errors first. Call `setEnvDefaults` first to include what the environment
 * provides.
 *
 * Logs nothing, makes no requests, and never rejects.
 */
export async function findConfigProblems(config: AuthConfig): Promise<readonly ConfigProblem[]> {
  // `latchkey pages` does not load the module that finds the warnings.
  const { findConfigWarnings } = await import("./config/checks/warnings.ts")
  const authConfig: AuthConfig = config ?? {}
  const resolved = resolveConfig(authConfig)
  const { redactLine } = createTextRedactor(resolved.configuredSecrets)
  const createProblem = (level: ConfigProblem["level"], type: string, error: AuthError) => {
    const { message, hint, cause: { option, expected, received } = {} } = error
    return {
      level,
      type,
      option: String(option ?? ""),
      expected: redactLine(String(expected ?? message)),
      ...(received === undefined ? {} : { received: redactLine(String(received)) }),
      hint: redactLine(hint),
      message: redactLine(message),
      docs: getErrorDocs(type),
    }
  }
  return [
    ...resolved.problems.map((error) => createProblem("error", error.type, error)),
    ...resolved.providerProblems.map((error) => ({
      ...createProblem("error", error.type, error),
      provider: String(error.cause?.["provider"] ?? error.cause?.["option"]),
    })),
    ...findConfigWarnings(authConfig, resolved).map(({ type, error }) =>
      createProblem("warning", type, error),
    ),
  ]
}
