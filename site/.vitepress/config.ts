import { readFileSync } from "node:fs"
import type { DefaultTheme, UserConfig } from "vitepress"
import { defineConfig } from "vitepress"
import { writeAssistantFiles } from "../src/assistants.ts"
import { addContentSecurityPolicy } from "../src/content-security-policy.ts"
import { repositoryUrl } from "../src/links.ts"
import { markdown } from "../src/markdown.ts"
import { closedLists, createNavigation, type NavigationItem } from "../src/navigation.ts"
import { addNotFoundText } from "../src/not-found.ts"
import { pages, repository, toRoute } from "../src/pages.ts"
import { addSearchOptions } from "../src/search.ts"

const files = new Set(pages.map(({ file }) => file))

const logo = `data:image/svg+xml,${encodeURIComponent(readFileSync(`${repository}/docs/images/logo.svg`, "utf8"))}`

export default defineConfig({
  title: "Latchkey",
  description: "Sign-in for web applications, inside your application.",
  lang: "en",
  cleanUrls: true,
  ignoreDeadLinks: "localhostLinks",
  head: [["link", { rel: "icon", href: logo }]],
  srcDir: repository,
  srcExclude: [
    "{api,bench,compat,demo,scripts,type-tests}/**",
    "examples/*/**",
    "packages/*/!(README.md)",
    "packages/*/*/**",
    ".*/**",
  ],
  outDir: `${repository}/site/dist`,
  cacheDir: `${repository}/.cache/vitepress`,
  rewrites: (file) => (files.has(file) ? toRoute(file) : file),
  markdown,
  vite: {
    clearScreen: false,
    build: { chunkSizeWarningLimit: 2000 },
    plugins: [{ name: "no-optimized-dependencies", enforce: "post", config: dropIncludes }],
  },
  transformPageData: ({ filePath }) =>
    filePath === "README.md"
      ? { frontmatter: { layout: "home", pageClass: "home" }, titleTemplate: false }
      : {},
  transformHead: ({ pageData: { isNotFound, relativePath } }) =>
    isNotFound
      ? []
      : [["link", { rel: "alternate", type: "text/markdown", href: `/${relativePath}` }]],
  transformHtml: (page, _id, { pageData: { isNotFound } }) =>
    addContentSecurityPolicy(isNotFound ? addNotFoundText(page) : page),
  buildEnd: ({ outDir }) => writeAssistantFiles(outDir),
  themeConfig: {
    logo,
    ...(repositoryUrl && { editLink: { pattern: `${repositoryUrl}/edit/main/:path` } }),
    footer: {
      message: ["All pages", "Changelog", "Contributing", "Security policy"]
        .map(toFooterLink)
        .join(" · "),
      copyright: "MIT licence",
    },
    search: { provider: "local", options: addSearchOptions({}) },
    outline: [2, 3],
    sidebar: createNavigation().map(toSidebarItem),
    nav: [
      { text: "Start", link: "/getting-started" },
      { text: "Providers", link: "/providers" },
      { text: "Migrate", link: "/migrating" },
      { text: "Configuration", link: "/configuration" },
      { text: "Errors", link: "/errors" },
    ],
  },
})

/** Stops Vite from looking for VitePress' dependencies in the root of the repository, where they are not installed. */
function dropIncludes({ optimizeDeps }: UserConfig["vite"] & object): void {
  if (optimizeDeps) optimizeDeps.include = []
}

function toFooterLink(text: string): string {
  return `<a href="/${text.toLowerCase().replace(" ", "-")}">${text}</a>`
}

function toSidebarItem({ text, page, items }: NavigationItem): DefaultTheme.SidebarItem {
  return {
    text,
    ...(page && { link: `/${page.route.replace(/\.md$/, "")}` }),
    ...(items && { items: items.map(toSidebarItem) }),
    ...(closedLists.includes(text) && { collapsed: true }),
  }
}
