/** The browsers of a cell, each with the address of its network. */
import { type Browser, type BrowserContext, devices } from "playwright-core"

export type Device = "computer" | "phone" | "scanner"

/** Opens a browser without cookies. */
export function openBrowser(
  chromium: Browser,
  origin: string,
  device: Device,
  scripts = true,
): Promise<BrowserContext> {
  const addresses = { computer: "192.0.2.1", phone: "198.51.100.1", scanner: "203.0.113.1" }
  return chromium.newContext({
    ...(device === "phone" && devices["Pixel 7"]),
    baseURL: origin,
    javaScriptEnabled: scripts,
    extraHTTPHeaders: { "x-forwarded-for": addresses[device] },
  })
}

/** Returns the address of the user who is signed in. */
export async function readUser(context: BrowserContext): Promise<string | undefined> {
  const response = await context.request.get("/auth/session", { maxRetries: 2 })
  const session = (await response.json()) as { user?: { email?: string } } | null
  return session?.user?.email
}

export const hasSession = async (context: BrowserContext) => (await readUser(context)) !== undefined
