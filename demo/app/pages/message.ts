/** Pages with a single message. */
import { html } from "../../shared/html.ts"
import type { Page } from "./layout.ts"

export const notFoundPage: Page = messagePage("Nothing grows here", "This page does not exist.")

/** For requests whose session could not be checked. The session may still be valid. */
export const unavailablePage: Page = messagePage(
  "One moment, please",
  "We could not check your session just now. You are still signed in. Please try again.",
)

export const errorPage: Page = messagePage(
  "Something went wrong",
  "An error occurred on our side. Please go back and try again.",
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
