/** The page with the second factors and trusted devices of a user. */
import type { FactorInfo } from "@latchkey/core"
import { html, type Markup } from "../../shared/html.ts"
import { dateTimeElement, shortDateTimeElement } from "./dates.ts"
import { hiddenInputs } from "./forms.ts"
import { deviceIcon, emailIcon, passwordIcon, readyIcon } from "./icons.ts"
import { type Item, itemList } from "./items.ts"
import type { Page } from "./layout.ts"

/** The path of this page. */
export const secondFactorPath = "/account/security"

export function secondFactorPage(factors: readonly FactorInfo[]): Page {
  const hasApp = factors.some(({ method }) => method === "totp")
  const content = hasApp
    ? html`<p class="lead">After your password, or any other way to sign in, we ask for a code of your app.</p>
<section class="card" aria-label="Second factors">
${itemList(factors.map(factorItem))}
<form action="${secondFactorPath}/recovery-codes" method="post">
<button class="button quiet" type="submit">Create new recovery codes</button>
</form>
</section>`
    : html`<p class="lead">Protect your account with an app on your phone. Somebody who finds out your password cannot sign in
without it.</p>
<section class="card" aria-label="Second factors">
<p><a class="button" href="/auth/signin/second-factor?step-up=true&amp;callbackUrl=${secondFactorPath}">Add an authenticator app</a></p>
</section>`
  return createPage(
    "Security",
    html`<p class="back"><a href="/account">Your account</a></p>
<h1>Security</h1>
${content}`,
  )
}

/** Shows new recovery codes, once. */
export function newRecoveryCodesPage(codes: readonly string[]): Page {
  return createPage(
    "Recovery codes",
    html`<p class="back"><a href="${secondFactorPath}">Security</a></p>
<h1>Your new recovery codes</h1>
<p class="lead">If you lose your app, each of these codes works once in its place. The old ones do not work any more. Keep them
where only you can find them.</p>
<section class="card" aria-label="Recovery codes">
<ul>${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ul>
</section>`,
  )
}

const createPage = (title: string, content: Markup): Page => ({
  title,
  activeMenuItem: "account",
  content: html`<div class="narrow">\n${content}\n</div>`,
})

export function factorItem({ id, method, createdAt, left, expires, address }: FactorInfo): Item {
  const added = html`Added ${shortDateTimeElement(createdAt)}`
  switch (method) {
    case "totp":
      return {
        picture: passwordIcon,
        name: "Authenticator app",
        hint: added,
        action: removeForm(id, "authenticator app"),
      }
    case "email-codes":
      return {
        picture: emailIcon,
        name: "Codes by e-mail",
        hint: html`${added}${address && html`, sent to ${address}`}`,
        action: removeForm(id, "codes by e-mail"),
      }
    case "recovery-codes":
      return {
        picture: passwordIcon,
        name: "Recovery codes",
        hint: left === undefined ? added : `${left} left`,
        action: readyIcon,
      }
    case "trusted-device":
      return {
        picture: deviceIcon,
        name: "Trusted device",
        hint: html`${added}${expires && html`, until ${dateTimeElement(expires)}`}`,
        action: removeForm(id, "trusted device"),
      }
  }
}

const removeForm = (
  id: string,
  name: string,
): Markup => html`<form action="${secondFactorPath}/remove" method="post">
${hiddenInputs({ id })}<button class="button quiet small" type="submit">Remove<span class="unseen"> ${name}</span></button>
</form>`
