/** The groups of the sidebar. */
import { type Page, pages, readTitle } from "./pages.ts"

/** An entry of the sidebar: a page, a list of pages, or both. */
export interface NavigationItem {
  readonly text: string
  readonly page?: Page
  readonly items?: readonly NavigationItem[]
}

/** The routes of each group in their order. A folder stands for its pages. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: [
    "getting-started.md",
    "init.md",
    "examples.md",
    "comparison.md",
    "migrating.md",
    "migrating-from-next-auth-4.md",
    "migrating-from-better-auth.md",
    "migrating-from-lucia.md",
    "migrating-from-passport.md",
  ],
  Guides: [
    "sign-in.md",
    "sign-in-context.md",
    "flow-data.md",
    "providers.md",
    "email.md",
    "credentials.md",
    "passkeys.md",
    "pages.md",
    "sessions.md",
    "session-lifetimes.md",
    "fresh-authentication.md",
    "session-management.md",
    "logout.md",
    "accounts.md",
    "provider-tokens.md",
    "authorization.md",
    "roles.md",
    "invitations.md",
    "managing-accounts.md",
    "deleting-accounts.md",
    "client.md",
    "separate-front-end.md",
    "apis-and-mobile.md",
    "types.md",
    "testing.md",
    "deployment.md",
    "hosting.md",
    "scaling.md",
  ],
  Frameworks: [
    "express.md",
    "sveltekit.md",
    "solid-start.md",
    "qwik.md",
    "hono.md",
    "fastify.md",
    "nestjs.md",
    "compatibility.md",
  ],
  Reference: [
    "configuration.md",
    "adapters.md",
    "doctor.md",
    "errors.md",
    "errors/",
    "packages/",
    "performance.md",
    "architecture.md",
    "dependencies.md",
    "contributing.md",
    "changelog.md",
  ],
  Security: ["security/threat-model.md", "security/cases.md", "security-policy.md"],
  Decisions: ["decisions/"],
}

/** Lists that are long and seldom read from the beginning: they are closed at first. */
export const closedLists = ["Decisions", "Each error"]

/** The group of all other pages, so that a new page is on the site at once. */
const defaultGroup = "Guides"

/** Texts that are shorter than the title of the page, and those of folders. */
const shortTexts: Readonly<Record<string, string>> = {
  "accounts.md": "Users and accounts",
  "provider-tokens.md": "Access tokens of providers",
  "architecture.md": "Architecture",
  "compatibility.md": "Tested versions",
  "errors/": "Each error",
  "migrating-from-next-auth-4.md": "Moving from NextAuth.js 4",
  "packages/": "Packages",
  "security-policy.md": "Reporting a vulnerability",
}

/** Pages that are not in the sidebar: the start page, and the list of all pages. */
const unlisted = ["index.md", "all-pages.md"]

const listed = [...Object.values(groups).flat(), ...unlisted]

/** Returns the groups of the sidebar, with all pages. */
export function createNavigation(): NavigationItem[] {
  return Object.entries(groups).map(([text, routes]) => {
    const items = routes.flatMap((route) =>
      route.endsWith("/") ? createFolder(route, text) : createItems(route),
    )
    return { text, items: text === defaultGroup ? [...items, ...createOtherItems()] : items }
  })
}

/** Returns the pages of a folder, as one entry unless the folder is the whole group. */
function createFolder(folder: string, group: string): NavigationItem[] {
  const items = pages.filter(({ route }) => route.startsWith(folder)).map(createItem)
  return groups[group]?.length === 1 ? items : [{ text: shortTexts[folder] ?? folder, items }]
}

function createOtherItems(): NavigationItem[] {
  const isListed = ({ route }: Page) =>
    listed.some((entry) => (entry.endsWith("/") ? route.startsWith(entry) : route === entry))
  return pages.filter((page) => !isListed(page)).map(createItem)
}

function createItems(route: string): NavigationItem[] {
  return pages.filter((page) => page.route === route).map(createItem)
}

function createItem(page: Page): NavigationItem {
  return { page, text: shortTexts[page.route] ?? readTitle(page) }
}
