/** Opens sign-in links as users do. */
import type { TestBrowser } from "@latchkey/testing"
import { findElement } from "./html-parser.ts"

/** Opens a link, and confirms the sign-in if a page asks for it, as in a browser that did not request the link. */
export async function openLink(browser: TestBrowser, link: string | URL): Promise<Response> {
  const response = await browser.open(link)
  return response.status === 200 ? confirmLink(browser, response) : response
}

/** Presses the button of the page that asks whether to use a link. */
export async function confirmLink(browser: TestBrowser, page: Response): Promise<Response> {
  const html = await page.text()
  const action = findElement(html, "form", { method: "post" }).attributes.get("action") ?? ""
  const csrfToken = findElement(html, "input", { name: "csrfToken" }).attributes.get("value") ?? ""
  return browser.post(action, { csrfToken })
}
