/** Icons for the ways to sign in, and for devices. */
import { html, Markup } from "../../shared/html.ts"

export function providerIcon(name: "alder" | "plaza"): Markup {
  return html`<img src="/brands/${name}.svg" alt="" width="24" height="24">`
}

export const emailIcon: Markup = createIcon(
  `<rect x="3" y="5" width="18" height="14" rx="3"/><path d="m4 7.5 6.5 4.9a2.5 2.5 0 0 0 3 0L20 7.5"/>`,
)

export const passwordIcon: Markup = createIcon(
  `<circle cx="8" cy="16" r="4.5"/><path d="M11.2 12.8 20 4m-4.5 4.5 3 3"/>`,
)

export const passkeyIcon: Markup = createIcon(
  `<path d="M5 15.5V11a7 7 0 0 1 12-4.9M19 10v3.5a16 16 0 0 1-.6 4.5"/><path d="M8.5 18.5a9 9 0 0 0 .5-3V11a3 3 0 0 1 6 0v3a15 15 0 0 1-1.2 6M12 11v4a11 11 0 0 1-1 4.5"/>`,
)

export const deviceIcon: Markup = createIcon(
  `<rect x="3" y="4" width="18" height="12" rx="2"/><path d="M8 20h8m-4-4v4"/>`,
)

export const readyIcon: Markup = html`<svg class="done" viewBox="0 0 20 20" width="20" height="20" role="img" aria-label="Ready">
<circle cx="10" cy="10" r="10"/><path d="m5.8 10.4 2.8 2.8 5.6-6"/></svg>`

function createIcon(shapes: string): Markup {
  return html`<svg class="sign" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">${new Markup(shapes)}</svg>`
}
