/** `/gallery`: Latchkey's pages in every state, theme, language and colour scheme. */
import {
  listPreviewLanguages,
  type PagePreview,
  type PreviewChoice,
  renderPagePreviews,
  renderPreviewIndex,
} from "@latchkey/core/cli"
import { Router } from "express"
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
// The e-mail, like the index, has styles of its own.
const messagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
const indexPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"

export function galleryRoutes(origin: string): Router {
  const router = Router()

  router.get("/gallery", (_req, res) => res.redirect(`/gallery/loam/${listLanguages()[0]}/auto`))

  router.get("/gallery/:theme/:language/:scheme", async (req, res, next) => {
    const previews = await renderVariant(req.params, origin)
    if (!previews) return next()
    res.set("Content-Security-Policy", indexPolicy).type("html")
    res.send(renderIndex(previews, req.params))
  })

  router.get("/gallery/:theme/:language/:scheme/:name", async (req, res, next) => {
    const previews = await renderVariant(req.params, origin)
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
    res.send(preview.html)
  })

  return router
}

function listLanguages(): readonly string[] {
  return listPreviewLanguages(createShowcaseConfig({}))
}

/** Returns undefined if there is no such variant. */
async function renderVariant(
  { theme, language, scheme }: Variant,
  origin: string,
): Promise<PagePreview[] | undefined> {
  const themeName = themes.get(theme)
  const colorScheme = schemes.find((name) => name === scheme)
  if (!themeName || !colorScheme || !listLanguages().includes(language)) return undefined
  const config = createShowcaseConfig(showcaseThemes[themeName])
  return renderPagePreviews(config, { origin, language, colorScheme })
}

function renderIndex(previews: readonly PagePreview[], current: Variant): string {
  const createUrl = ({ theme, language, scheme }: Variant) =>
    `/gallery/${theme}/${language}/${scheme}`
  const createChoice = (
    label: string,
    key: keyof Variant,
    values: readonly string[],
  ): PreviewChoice => ({
    label,
    options: values.map((value) => ({
      label: value,
      url: createUrl({ ...current, [key]: value }),
      isCurrent: value === current[key],
    })),
  })
  return renderPreviewIndex({
    title: "Latchkey’s pages in every state",
    choices: [
      createChoice("Theme", "theme", [...themes.keys()]),
      createChoice("Language", "language", listLanguages()),
      createChoice("Colour scheme", "scheme", schemes),
    ],
    pages: previews.map(({ name, title }) => ({ title, url: `${createUrl(current)}/${name}` })),
  })
}
