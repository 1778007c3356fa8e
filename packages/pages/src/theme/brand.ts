/** The brand of the application on its pages: the logo or the name above the card, and the icon of the tab. */

import { html, type Markup, type TemplateValue } from "../html.ts"
import { type ImageSource, parseThemeImage } from "../pages/urls.ts"
import { createBrandPalette, createPalette } from "./palette.ts"
import type { Theme } from "./theme.ts"

export interface Brand {
  /** Renders what is above the card, with the alternative text of a logo whose theme has none. */
  renderHeader(defaultAlt: TemplateValue): Markup | undefined
  /** URL of the icon of the tab. */
  readonly favicon: string
  /** Origins of the images. */
  readonly imageOrigins: readonly string[]
}

/** Creates the brand of a theme. Invalid images are ignored. */
export function createBrand(theme: Theme): Brand {
  const logo = parseThemeImage(theme.logo)
  const darkLogo =
    logo && theme.colorScheme !== "light" ? parseThemeImage(theme.logoDark) : undefined
  const favicon = parseThemeImage(theme.favicon)
  const origins = [logo, darkLogo, favicon].flatMap((image) => image?.origin ?? [])
  return {
    renderHeader: (defaultAlt) =>
      logo
        ? renderLogo(logo, darkLogo, theme, theme.logoAlt || theme.name || defaultAlt)
        : renderName(theme.name),
    // An empty icon, because browsers would request /favicon.ico without any.
    favicon: favicon?.src ?? (theme.name ? createFavicon(theme.name, theme) : "data:,"),
    imageOrigins: [...new Set(origins)],
  }
}

function renderLogo(
  logo: ImageSource,
  darkLogo: ImageSource | undefined,
  { colorScheme }: Theme,
  alt: TemplateValue,
): Markup {
  const isDark = colorScheme === "dark"
  const image = html`<img class="logo" src="${isDark && darkLogo ? darkLogo.src : logo.src}" alt="${alt}">`
  if (isDark || !darkLogo) return html`${image}\n`
  return html`<picture><source media="(prefers-color-scheme:dark)" srcset="${darkLogo.src}">${image}</picture>\n`
}

function renderName(name: string | undefined): Markup | undefined {
  if (!name) return undefined
  return html`<p class="brand"><span class="initial" aria-hidden="true">${getInitial(name)}</span>${name}</p>\n`
}

/** Draws the initial of the name in the colours of the main button. */
function createFavicon(name: string, theme: Theme): string {
  const palette: Readonly<Record<string, string>> = {
    ...createPalette("light"),
    ...createBrandPalette("light", theme),
  }
  // As a style too: browsers that do not know the notation of a colour use the attribute instead.
  const fill = (role: string, fallback: string): TemplateValue =>
    html`fill="${fallback}" style="fill:${palette[role]}"`
  const { text } =
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" ${fill("brand-color", "#1f1f25")}/><text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-size="20" font-weight="600" ${fill("button-text-color", "#fff")}>${getInitial(name)}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(text)}`
}

function getInitial(name: string): string {
  const [initial = ""] = Array.from(name)
  return initial.toUpperCase()
}
