/** The entry `@latchkey/cli/page-previews`: the built-in pages of a configuration in all their states, for tools and tests. */
import type { AuthConfig } from "@latchkey/core"
import {
  buildActionsUrl,
  createCoreServices,
  createLanguageSelector,
  createPageProviders,
  createPageRenderer,
  createSignInEmail,
  isLanguage,
  listPageStates,
  resolveConfig,
} from "@latchkey/core/cli"
import type { Language, Theme } from "@latchkey/core/types"

/** A page in one of its states. */
export interface PagePreview {
  /** Name for files and URLs, such as `sign-in-none`. */
  readonly name: string
  readonly title: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
}

/** Options of `renderPagePreviews`. */
export interface PagePreviewOptions {
  /** The origin that the pages name. @defaultValue `"https://app.example"` */
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
