/**
 * The accessibility tree of the sign-in page in Chromium, which screen readers read. `sign-in-page.transcript.txt` is what
 * one says; record it again if the tree changes.
 */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { launchChromium } from "../../../scripts/test-setup/launch-chromium.ts"
import { renderPages } from "./support/page-previews.ts"

/** A node of the tree, as far as it is shown (Chrome DevTools Protocol, `Accessibility.AXNode`). */
interface TreeNode {
  readonly nodeId: string
  readonly ignored: boolean
  readonly role?: { readonly value?: string }
  readonly name?: { readonly value?: string }
  readonly description?: { readonly value?: string }
  readonly properties?: readonly { readonly name: string; readonly value: { value?: unknown } }[]
  readonly childIds?: readonly string[]
}

/** Roles that say nothing themselves: their children stand in their place. */
const transparentRoles = new Set(["none", "generic", "LabelText"])
/** Whether the name of a role is the text of its children. */
const isNamedByContent = (role: string) => /^(?:button|heading|link|DisclosureTriangle)/.test(role)

const shownProperties = new Set(["level", "focused", "required", "invalid", "expanded", "checked"])
const isShown = (name: string, value: unknown) =>
  shownProperties.has(name) && (name === "expanded" || (value !== false && value !== "false"))

let browser: Browser
let page: Page
let html = ""
beforeAll(async () => {
  browser = await launchChromium()
  page = await browser.newPage()
  // Passkeys need a secure origin.
  await page.route("https://app.example/**", (route) =>
    route.request().isNavigationRequest()
      ? route.fulfill({ contentType: "text/html", body: html })
      : route.abort(),
  )
})
afterAll(() => browser.close())

async function describeTree(): Promise<string> {
  const session = await page.context().newCDPSession(page)
  await session.send("Accessibility.enable")
  const { nodes } = (await session.send("Accessibility.getFullAXTree")) as { nodes: TreeNode[] }
  await session.detach()
  const nodesById = new Map(nodes.map((node) => [node.nodeId, node]))

  const describeChildren = ({ childIds = [] }: TreeNode, depth: number): string[] =>
    childIds.flatMap((id) => {
      const child = nodesById.get(id)
      return child ? describeNode(child, depth) : []
    })
  const describeNode = (node: TreeNode, depth: number): string[] => {
    const role = node.role?.value ?? ""
    if (node.ignored || transparentRoles.has(role)) return describeChildren(node, depth)
    const properties = (node.properties ?? []).flatMap(({ name, value }) =>
      isShown(name, value.value) ? [`${name}: ${value.value}`] : [],
    )
    const description = node.description?.value
    const details = [...properties, ...(description ? [`description: ${description}`] : [])]
    const name = node.name?.value ?? ""
    const line = `${"  ".repeat(depth)}${role}${name && ` "${name}"`}${details.length > 0 ? ` (${details.join(", ")})` : ""}`
    const isLeaf = role === "StaticText" || role === "textbox" || isNamedByContent(role)
    return isLeaf ? [line] : [line, ...describeChildren(node, depth + 1)]
  }
  return nodes[0] ? `${describeNode(nodes[0], 0).join("\n")}\n` : ""
}

async function show(name: string): Promise<void> {
  const pages = await renderPages("en", { name: "Acme" })
  html = pages.find((each) => each.name === name)?.html ?? ""
  await page.goto("https://app.example/auth/signin")
  // Browsers move the focus with the first frame.
  if (html.includes(" autofocus")) await page.locator("[autofocus]:focus").waitFor()
}

test.each([
  "sign-in-remember-me",
  "sign-in-error-credentialssignin",
  "sign-in-error-oauthcallbackerror",
])("%s tells a screen reader what it needs", async (name) => {
  await show(name)
  await expect(await describeTree()).toMatchFileSnapshot(`trees/${name}.txt`)
})

test.each(["sign-in", "sign-in-error-credentialssignin"])(
  "the transcript of a screen reader has every control of %s",
  async (name) => {
    await show(name)
    const transcript = readFileSync(
      join(import.meta.dirname, "sign-in-page.transcript.txt"),
      "utf8",
    )
    const controls = (await describeTree()).matchAll(
      /(?:button|textbox|Triangle\w*|heading) "([^"]+)"/g,
    )
    const names = [...controls].flatMap(([, control]) => control ?? [])
    expect(names.length).toBeGreaterThan(6)
    expect(names.filter((control) => !transcript.includes(control))).toEqual([])
  },
)
