/** Icons of buttons and pages, drawn for Latchkey on a grid of 24 by 24. */
import { html, type Markup } from "../html.ts"

export const envelopeIcon: Markup = renderIcon`<rect x="3" y="5" width="18" height="14" rx="3"/>
<path d="m4 7.5 6.5 4.9a2.5 2.5 0 0 0 3 0L20 7.5"/>`

const keyIcon = renderIcon`<circle cx="8" cy="16" r="4.5"/>
<path d="M11.2 12.8 20 4M15.5 8.5l3 3"/>`

const fingerprintIcon = renderIcon`<path d="M5 15.5V11a7 7 0 0 1 12-4.9M19 10v3.5a16 16 0 0 1-.6 4.5"/>
<path d="M8.5 18.5a9 9 0 0 0 .5-3V11a3 3 0 0 1 6 0v3a15 15 0 0 1-1.2 6M12 11v4a11 11 0 0 1-1 4.5"/>`

/** The icons of the forms with inputs, by the types of their providers. */
export const formIcons: Readonly<Record<"email" | "credentials" | "webauthn", Markup>> = {
  email: envelopeIcon,
  credentials: keyIcon,
  webauthn: fingerprintIcon,
}

export const alertIcon: Markup = renderIcon`<circle cx="12" cy="12" r="9"/>
<path d="M12 7.5v5M12 16.2v.1"/>`

export const lockIcon: Markup = renderIcon`<rect x="5" y="10.5" width="14" height="10" rx="2.5"/>
<path d="M8 10.5V8a4 4 0 0 1 8 0v2.5"/>`

export const exitIcon: Markup = renderIcon`<path d="M14 4H8a3 3 0 0 0-3 3v10a3 3 0 0 0 3 3h6"/>
<path d="M10.5 12H20m-3.5-3.5L20 12l-3.5 3.5"/>`

export const userIcon: Markup = renderIcon`<circle cx="12" cy="8.5" r="4"/>
<path d="M4.5 20a7.5 7.5 0 0 1 15 0"/>`

/** Points down at the form that a button opens. */
export const chevronIcon: Markup = renderIcon`<path d="m8 10 4 4 4-4"/>`

function renderIcon(shapes: TemplateStringsArray): Markup {
  return html`<svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">${html(shapes)}</svg>`
}
