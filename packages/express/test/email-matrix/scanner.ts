/** What opens the link of a message before its reader does. */
import { setTimeout as sleep } from "node:timers/promises"
import type { BrowserContext, Page } from "playwright-core"
import { expect } from "vitest"
import { hasSession } from "./browsers.ts"
import type { Scanner } from "./cells.ts"
import type { Site } from "./site.ts"

const scanDelay = 22_000

/** Requests a link in a browser of its own. Returns whether it had a session at any time. */
export async function scanLink(
  scanner: Exclude<Scanner, "none" | "prefetch">,
  context: BrowserContext,
  link: string,
): Promise<boolean> {
  if (scanner === "chromium") return pressEverything(context, link)
  await (scanner === "head" ? context.request.head(link) : context.request.get(link))
  return hasSession(context)
}

/** Waits as long as scanners do that open links again later. */
export const waitForLateScanner = () => sleep(scanDelay)

/** Shows the message in a browser, which prefetches the link. Returns whether it has a session afterwards. */
export async function prefetchLink(
  context: BrowserContext,
  site: Site,
  link: string,
): Promise<boolean> {
  const page = await context.newPage()
  await page.goto(site.messageUrl(link, true))
  await expect.poll(() => site.linkPurposes).toContain("prefetch")
  await page.close()
  return hasSession(context)
}

/** Presses every button and submits every form of the page behind a link, and then those of the pages behind them. */
async function pressEverything(context: BrowserContext, link: string): Promise<boolean> {
  const page = await context.newPage()
  const open = async (path: readonly number[]) => {
    await page.goto(link)
    for (const index of path) await useControl(page, index)
    return countControls(page)
  }
  let wasSignedIn = false
  const firstCount = await open([])
  wasSignedIn ||= await hasSession(context)
  for (let first = 0; first < firstCount; first += 1) {
    const secondCount = await open([first])
    wasSignedIn ||= await hasSession(context)
    for (let second = 0; second < secondCount; second += 1) {
      await open([first, second])
      wasSignedIn ||= await hasSession(context)
    }
  }
  await page.close()
  return wasSignedIn
}

const controls = "button, input[type=submit], input[type=image], form"

const countControls = (page: Page) => page.locator(controls).count()

/** Fills all fields, and presses a button or submits a form, also one whose fields the browser would not accept. */
async function useControl(page: Page, index: number): Promise<void> {
  if (index >= (await countControls(page))) return
  const loaded = page.waitForEvent("load", { timeout: 10_000 }).catch(() => undefined)
  const submits = await page
    .locator(controls)
    .nth(index)
    .evaluate((control) => {
      for (const field of document.querySelectorAll("input"))
        if (["text", "email", "tel", "number", "search"].includes(field.type) && !field.value)
          field.value = field.type === "email" ? "scanner@example.net" : "scanner"
      if (control instanceof HTMLFormElement) {
        HTMLFormElement.prototype.submit.call(control)
        return true
      }
      const button = control as HTMLButtonElement
      button.click()
      return button.formNoValidate || button.form?.checkValidity() === true
    })
  if (submits) await loaded
}
