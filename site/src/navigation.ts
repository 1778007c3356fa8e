/** The groups of the sidebar. */
import { type Page, pages, readTitle } from "./pages.ts"

/** An entry of the sidebar: a page, a list of pages, or both. */
export interface NavigationItem {
  readonly text: string
  readonly page?: Page
  readonly items?: readonly NavigationItem[]
}

/** The routes of each group in their order: the common ones first. A folder stands for its pages. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ["getting-started.md", "init.md", "how-it-works.md", "examples.md", "comparison.md"],
  Frameworks: [
    "express.md",
    "sveltekit.md",
    "solid-start.md",
    "qwik.md",
    "next.md",
    "fetch.md",
    "hono.md",
    "react-router.md",
    "astro.md",
    "nuxt.md",
    "fastify.md",
    "nestjs.md",
    "compatibility.md",
  ],
  "Ways to sign in": [
    "sign-in.md",
    "providers.md",
    "email.md",
    "credentials.md",
    "passkeys.md",
    "second-factor.md",
    "audit-log.md",
    "flow-data.md",
    "sign-in-context.md",
  ],
  "Pages and e-mails": ["pages.md", "languages.md"],
  "Users and sessions": [
    "sessions.md",
    "authorization.md",
    "session-management.md",
    "session-lifetimes.md",
    "accounts.md",
    "roles.md",
    "provider-tokens.md",
    "logout.md",
    "types.md",
    "fresh-authentication.md",
    "managing-accounts.md",
    "deleting-accounts.md",
    "invitations.md",
  ],
  "Browsers and APIs": [
    "client.md",
    "separate-front-end.md",
    "apis-and-mobile.md",
    "websockets.md",
  ],
  "In production": ["deployment.md", "hosting.md", "scaling.md", "testing.md"],
  Migrate: [
    "migrating.md",
    "migrating-from-next-auth-5.md",
    "migrating-from-next-auth-4.md",
    "migrating-from-better-auth.md",
    "migrating-from-lucia.md",
    "migrating-from-passport.md",
  ],
  Reference: [
    "configuration.md",
    "options.md",
    "adapters.md",
    "doctor.md",
    "errors.md",
    "errors/",
    "packages/",
    "performance.md",
    "limits.md",
    "versioning.md",
    "changelog.md",
  ],
  Security: [
    "security/threat-model.md",
    "security/cases.md",
    "security-policy.md",
    "security/rehearsal.md",
  ],
  Contributing: ["contributing.md", "architecture.md", "dependencies.md", "decisions/"],
}

/** The groups that show how to do something. */
export const guideGroups = [
  "Frameworks",
  "Ways to sign in",
  "Pages and e-mails",
  "Users and sessions",
  "Browsers and APIs",
  "In production",
]

/** Lists that are long or seldom read: they are closed at first. */
export const closedLists = ["Decisions", "Each error", "Packages", "Security", "Contributing"]

/** The group of all other pages, so that a new page is on the site at once. */
const defaultGroup = "Users and sessions"

/** Texts that are shorter than the title of the page, and those of folders. */
const shortTexts: Readonly<Record<string, string>> = {
  "accounts.md": "Users and accounts",
  "authorization.md": "Who may do what",
  "provider-tokens.md": "Access tokens of providers",
  "architecture.md": "Architecture",
  "comparison.md": "Comparison",
  "compatibility.md": "Tested versions",
  "credentials.md": "Passwords",
  "decisions/": "Decisions",
  "errors/": "Each error",
  "init.md": "One command",
  "packages/": "Packages",
  "security-policy.md": "Reporting a vulnerability",
  "security/rehearsal.md": "Rehearsal",
}

/** Pages that are not in the sidebar: the start page, and the list of all pages. */
const unlisted = ["index.md", "all-pages.md"]

const listed = [...Object.values(groups).flat(), ...unlisted]

/** Returns the groups of the sidebar, with all pages. */
export function createNavigation(): NavigationItem[] {
  return Object.entries(groups).map(([text, routes]) => {
    const items = routes.flatMap((route) =>
      route.endsWith("/") ? createFolder(route) : createItems(route),
    )
    return { text, items: text === defaultGroup ? [...items, ...createOtherItems()] : items }
  })
}

/** Returns the pages of a folder, as one entry. */
function createFolder(folder: string): NavigationItem[] {
  const items = pages.filter(({ route }) => route.startsWith(folder)).map(createItem)
  return [{ text: shortTexts[folder] ?? folder, items }]
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
