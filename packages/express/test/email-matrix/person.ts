/** A person who asks for a message, reads it, and signs in. Each step works with and without scripts. */
import type { BrowserContext, Page } from "playwright-core"
import type { Site } from "./site.ts"

/** Asks for a message, as the form of the sign-in page does. */
export async function requestMessage(context: BrowserContext, email: string): Promise<void> {
  const response = await context.request.get("/auth/csrf", { maxRetries: 2 })
  const { csrfToken } = (await response.json()) as { csrfToken: string }
  await context.request.post("/auth/signin/nodemailer", { form: { email, csrfToken } })
}

/** Opens the message on its site, and presses the link. */
export async function openLink(context: BrowserContext, site: Site, link: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(site.messageUrl(link, false))
  await Promise.all([page.waitForEvent("load"), page.getByRole("link").click()])
  return page
}

/** Follows the link of a message, and does what the page there asks for. */
export async function followLink(
  context: BrowserContext,
  site: Site,
  link: string,
  code: string | undefined,
): Promise<void> {
  const page = await openLink(context, site, link)
  if (await page.locator("input[name=code]").isVisible()) return submitCode(page, code)
  const button = page.locator("form[method=post] button").first()
  if (await button.isVisible()) await Promise.all([page.waitForEvent("load"), button.click()])
}

/** Types the code in the browser that asked for the message. */
export async function typeCode(context: BrowserContext, code: string | undefined): Promise<void> {
  const page = await context.newPage()
  await page.goto("/auth/verify-request")
  await submitCode(page, code)
}

async function submitCode(page: Page, code: string | undefined): Promise<void> {
  if (code === undefined) throw new Error("The page asks for a code that the message does not have")
  const field = page.locator("input[name=code]")
  await field.fill(code)
  await Promise.all([page.waitForEvent("load"), field.press("Enter")])
}
