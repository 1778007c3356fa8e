/** Pages that say one thing. */
import { html } from "../../shared/html.ts"
import type { Page } from "./layout.ts"

/** There is nothing at this address. */
export const notFoundPage: Page = messagePage(
  "Nothing grows here",
  "There is no page at this address.",
)

/** The session could not be checked, which says nothing about whether it is good. */
export const unavailablePage: Page = messagePage(
  "One moment, please",
  "We could not check who you are just now. You are still signed in; please try again.",
)

/** Something else is broken. */
export const errorPage: Page = messagePage(
  "Something went wrong",
  "That was our fault. Please go back and try again.",
)

function messagePage(title: string, text: string): Page {
  return {
    title,
    content: html`<div class="narrow message">
<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a class="button quiet" href="/">Go to the home page</a></p>
</div>`,
  }
}
