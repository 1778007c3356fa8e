/** Runs cells of the matrix, each with an application, a database and a mail server of its own. */
import { isDeepStrictEqual } from "node:util"
import type { Browser, BrowserContext } from "playwright-core"
import { openBrowser, readUser } from "./browsers.ts"
import type { Cell, Outcome } from "./cells.ts"
import { followLink, openLink, requestMessage, typeCode } from "./person.ts"
import { prefetchLink, scanLink, waitForLateScanner } from "./scanner.ts"
import { type CreateMiddleware, createSite, type Site } from "./site.ts"

const address = "ada@example.com"

/** Runs a function when fewer than so many others run. */
export type Limit = <T>(run: () => Promise<T>) => Promise<T>

/** @param limit applies to everything except waiting */
export async function runCell(
  chromium: Browser,
  limit: Limit,
  createMiddleware: CreateMiddleware,
  cell: Cell,
): Promise<Outcome> {
  await using site = await createSite(createMiddleware)
  const { scanner, place, way, scripts } = cell
  const asking = await openBrowser(chromium, site.origin, "computer", scripts)
  const device = place === "other device" ? "phone" : "computer"
  const reading =
    place === "same browser" ? asking : await openBrowser(chromium, site.origin, device, scripts)
  const { links, code } = await limit(async () => {
    await requestMessage(asking, address)
    return site.mailbox.waitForMail()
  })
  const [link = ""] = links
  const rowsBefore = readRows(site)

  if (scanner === "later") await waitForLateScanner()
  // Awaited here, because the site closes when this function returns.
  return await limit(async () => {
    const scannerSignedIn = await scan(chromium, site, reading, cell, link)
    const scannerChangedRows = !isDeepStrictEqual(readRows(site), rowsBefore)
    if (way === "link") await followLink(reading, site, link, code)
    else {
      if (reading !== asking) await openLink(reading, site, link)
      await typeCode(asking, code)
    }
    const user = await readUser(way === "link" ? reading : asking)
    const tokensLeft = site.rows("VerificationToken").length
    for (const context of new Set([asking, reading])) await context.close()
    return { scannerSignedIn, scannerChangedRows, personSignedIn: user === address, tokensLeft }
  })
}

/** Returns whether the scanner had a session. */
async function scan(
  chromium: Browser,
  site: Site,
  reading: BrowserContext,
  { scanner }: Cell,
  link: string,
): Promise<boolean> {
  if (scanner === "none") return false
  if (scanner === "prefetch") return prefetchLink(reading, site, link)
  const context = await openBrowser(chromium, site.origin, "scanner")
  const wasSignedIn = await scanLink(scanner, context, link)
  await context.close()
  return wasSignedIn
}

const readRows = (site: Site) =>
  (["User", "Account", "Session", "VerificationToken"] as const).map((table) => site.rows(table))

/** Creates a limit. */
export function createLimit(most: number): Limit {
  let running = 0
  const waiting: (() => void)[] = []
  return async (run) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
