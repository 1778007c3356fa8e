/** Opens sign-in links as users do. */
import type { TestBrowser } from "@latchkey/testing"
import { findElements } from "./html-parser.ts"

/**
 * Opens a link, and confirms the sign-in if a page asks for it, as in a browser that did not request the link.
 *
 * @param code of the e-mail, if it has one
 */
export async function openLink(
  browser: TestBrowser,
  link: string | URL,
  code?: string,
): Promise<Response> {
  const response = await browser.open(link)
  return response.status === 200 ? confirmLink(browser, response, code) : response
}

/** Presses the button of the page that asks whether to use a link, or for the code of its e-mail. */
export async function confirmLink(
  browser: TestBrowser,
  page: Response,
  code?: string,
): Promise<Response> {
  const html = await page.text()
  const [form] = findElements(html, "form", { method: "post" })
  const [tokenField] = findElements(html, "input", { name: "csrfToken" })
  const action = form?.attributes.get("action") ?? ""
  const csrfToken = tokenField?.attributes.get("value") ?? ""
  return browser.post(action, { csrfToken, ...(code !== undefined && { code }) })
}
