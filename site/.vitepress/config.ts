import type { DefaultTheme, UserConfig } from "vitepress"
import { defineConfig } from "vitepress"
import { writeAssistantFiles } from "../src/assistants.ts"
import { addContentSecurityPolicy } from "../src/content-security-policy.ts"
import { markdown } from "../src/markdown.ts"
import { closedLists, createNavigation, type NavigationItem } from "../src/navigation.ts"
import { pages, repository, toRoute } from "../src/pages.ts"

const files = new Set(pages.map(({ file }) => file))

/** The icon of the site: a key. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f1f25"/><path d="M14 13a5 5 0 1 0 0 6h12m-4 0v4m-4-4v3" fill="none" stroke="#fff" stroke-width="3"/></svg>`

export default defineConfig({
  title: "Latchkey",
  description: "Sign-in for web applications, inside your application.",
  lang: "en",
  cleanUrls: true,
  ignoreDeadLinks: "localhostLinks",
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: repository,
  srcExclude: [
    "{bench,compat,demo,scripts,type-tests}/**",
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
  transformHtml: (page) => addContentSecurityPolicy(page),
  buildEnd: ({ outDir }) => writeAssistantFiles(outDir),
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: createNavigation().map(toSidebarItem),
    nav: [
      { text: "Start", link: "/getting-started" },
      { text: "Moving", link: "/migrating" },
      { text: "Configuration", link: "/configuration" },
      { text: "Errors", link: "/errors" },
    ],
  },
})

/** Stops Vite from looking for VitePress' dependencies in the root of the repository, where they are not installed. */
function dropIncludes({ optimizeDeps }: UserConfig["vite"] & object): void {
  if (optimizeDeps) optimizeDeps.include = []
}

function toSidebarItem({ text, page, items }: NavigationItem): DefaultTheme.SidebarItem {
  return {
    text,
    ...(page && { link: `/${page.route.replace(/\.md$/, "")}` }),
    ...(items && { items: items.map(toSidebarItem) }),
    ...(closedLists.includes(text) && { collapsed: true }),
  }
}
