/** The page with the sessions of a user, each of which they can end. */
import type { FactorInfo, SessionInfo } from "@latchkey/core"
import { html, type Markup } from "../../shared/html.ts"
import { getProviderName } from "../provider-names.ts"
import { shortDateTimeElement } from "./dates.ts"
import { signOutForm } from "./forms.ts"
import { deviceIcon } from "./icons.ts"
import { type Item, itemList } from "./items.ts"
import type { Page } from "./layout.ts"
import { factorItem } from "./second-factor.ts"

export interface SessionsDetails {
  readonly sessions: readonly SessionInfo[]
  readonly currentSessionId: string | undefined
  /** The devices on which the user is not asked for the second factor. */
  readonly trustedDevices: readonly FactorInfo[]
  /** Token for the form that signs this browser out. */
  readonly csrfToken: string
}

export function sessionsPage(details: SessionsDetails): Page {
  const { sessions, currentSessionId, trustedDevices } = details
  const isCurrent = ({ id }: SessionInfo) => id === currentSessionId
  const others = sessions.filter((session) => !isCurrent(session))
  const ordered = [...sessions.filter(isCurrent), ...others]
  return {
    title: "Your sessions",
    activeMenuItem: "account",
    content: html`<div class="narrow">
<p class="back"><a href="/account">Your account</a></p>
<h1>Your sessions</h1>
<p class="lead">You are signed in on these devices. Sign out any that you do not recognise.</p>
<section class="card" aria-label="Sessions">
${itemList(ordered.map((session) => sessionItem(session, isCurrent(session), details)))}\
${
  others.length > 0 &&
  html`
<form action="/account/sessions/revoke-others" method="post">
<button class="button quiet" type="submit">Sign out everywhere else</button>
</form>`
}
</section>
${trustedDevices.length > 0 && trustedDeviceSection(trustedDevices)}
</div>`,
  }
}

const trustedDeviceSection = (devices: readonly FactorInfo[]): Markup =>
  html`<section class="card" aria-labelledby="trusted">
<h2 id="trusted">Trusted devices</h2>
<p class="hint">On these, you are not asked for your second factor when you sign in.</p>
${itemList(devices.map(factorItem))}
</section>`

function sessionItem(session: SessionInfo, isCurrent: boolean, details: SessionsDetails): Item {
  const { id, label = "Unknown device", provider, createdAt, lastSeenAt, network } = session
  const facts = [
    html`Signed in ${shortDateTimeElement(createdAt)}${provider && ` with ${getProviderName(provider)}`}`,
    html`Last used ${shortDateTimeElement(lastSeenAt)}`,
    // Addresses of this machine are not recorded, and no others reach the demo.
    network ? `Network ${network}` : "From this computer",
  ]
  return {
    picture: deviceIcon,
    name: html`${label}${isCurrent && html` <span class="count">This session</span>`}`,
    hint: facts.map((fact) => html`<span class="fact">${fact}</span> `),
    action: isCurrent
      ? signOutForm(details.csrfToken, "button quiet small")
      : html`<form action="/account/sessions/${id}/revoke" method="post">
<button class="button quiet small" type="submit">Sign out<span class="unseen"> ${label}</span></button>
</form>`,
  }
}
