/** `/gallery`: Latchkey's pages in every state, theme, language and colour scheme. */
import {
  listPreviewLanguages,
  type PagePreview,
  renderPagePreviews,
} from "@latchkey/cli/page-previews"
import { Router } from "express"
import { type AppContext, sendPage } from "../app/app-context.ts"
import type { Page } from "../app/pages/layout.ts"
import { html } from "../shared/html.ts"
import { createShowcaseConfig, showcaseThemes } from "./showcase.ts"

/** The choices of a visitor of the gallery. */
interface Variant {
  readonly theme: string
  readonly language: string
  readonly scheme: string
}

const themes: ReadonlyMap<string, keyof typeof showcaseThemes> = new Map(
  (Object.keys(showcaseThemes) as (keyof typeof showcaseThemes)[]).map((name) => [name, name]),
)
const schemes = ["auto", "light", "dark"] as const
// The e-mail has styles of its own.
const messagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"

export function galleryRoutes(context: AppContext): Router {
  const { findCurrentUser, origin } = context
  const router = Router()
  const renderVariant = createRenderVariant(origin)

  router.get("/gallery", (_req, res) => res.redirect(`/gallery/loam/${listLanguages()[0]}/auto`))

  router.get("/gallery/:theme/:language/:scheme", async (req, res, next) => {
    const previews = await renderVariant(req.params)
    if (!previews) return next()
    const policy = `${res.get("Content-Security-Policy")}; frame-src 'self'`
    res.set("Content-Security-Policy", policy)
    sendPage(res, context, await findCurrentUser(req, res), galleryPage(previews, req.params))
  })

  router.get("/gallery/:theme/:language/:scheme/:name", async (req, res, next) => {
    const previews = await renderVariant(req.params)
    const preview = previews?.find(({ name }) => name === req.params.name)
    if (!preview) return next()
    const { "content-security-policy": policy = messagePolicy, ...headers } = preview.headers
    res.set({ "content-type": "text/html; charset=utf-8", ...headers })
    // The gallery shows the page in a frame, which real pages forbid.
    res.set(
      "Content-Security-Policy",
      policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    )
    res.set("X-Frame-Options", "SAMEORIGIN")
    // Nor may it take the focus from the gallery.
    const isFramed = req.get("sec-fetch-dest") === "iframe"
    res.send(isFramed ? preview.html.replaceAll(" autofocus", "") : preview.html)
  })

  return router
}

function listLanguages(): readonly string[] {
  return listPreviewLanguages(createShowcaseConfig({}))
}

/** Returns a function that renders all pages of a variant. It returns undefined if there is no such variant. */
function createRenderVariant(
  origin: string,
): (variant: Variant) => Promise<readonly PagePreview[] | undefined> {
  // The frames of the gallery request its pages one by one, and all of them are rendered together.
  let latest: { readonly key: string; readonly previews: Promise<PagePreview[]> } | undefined
  return async ({ theme, language, scheme }) => {
    const themeName = themes.get(theme)
    const colorScheme = schemes.find((name) => name === scheme)
    if (!themeName || !colorScheme || !listLanguages().includes(language)) return undefined
    const key = `${themeName} ${language} ${colorScheme}`
    if (latest?.key !== key) {
      const config = createShowcaseConfig(showcaseThemes[themeName])
      latest = { key, previews: renderPagePreviews(config, { origin, language, colorScheme }) }
    }
    return latest.previews
  }
}

/** Returns the name of a language in this language. */
function getLanguageName(tag: string): string {
  return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag
}

/** Renders the page that shows all pages in frames, in the layout of the demo. */
function galleryPage(previews: readonly PagePreview[], current: Variant): Page {
  const createUrl = ({ theme, language, scheme }: Variant) =>
    `/gallery/${theme}/${language}/${scheme}`
  const renderChoice = (label: string, key: keyof Variant, values: readonly string[]) => {
    const getName = (value: string) => (key === "language" ? getLanguageName(value) : value)
    const options = values.map((value) => {
      const url = createUrl({ ...current, [key]: value })
      return html` <a href="${url}"${value === current[key] && html` aria-current="page"`}>${getName(value)}</a>`
    })
    return html`<dt>${label}</dt><dd>${options}</dd>\n`
  }
  const items = previews.map(({ name, title }) => {
    const url = `${createUrl(current)}/${name}`
    return html`<li><a href="${url}">${title}</a>
<iframe src="${url}" title="${title}" loading="lazy"></iframe></li>
`
  })
  return {
    title: "Gallery",
    content: html`<div class="wide gallery">
<h1>Gallery</h1>
<p class="lead">Every page of Latchkey in every state, as your visitors see it.</p>
<nav aria-label="Variants">
<dl>
${renderChoice("Theme", "theme", [...themes.keys()])}\
${renderChoice("Language", "language", listLanguages())}\
${renderChoice("Colours", "scheme", schemes)}</dl>
</nav>
<ul>
${items}</ul>
</div>`,
  }
}
