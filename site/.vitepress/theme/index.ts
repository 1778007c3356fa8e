import { type Theme, useData } from "vitepress"
import DefaultTheme from "vitepress/theme-without-fonts"
import { type FunctionalComponent, h } from "vue"
import { notFoundText } from "../../src/not-found.ts"
import { addSearchOptions } from "../../src/search.ts"
import "./style.css"

/** Links that every page ends with. Without JavaScript, small screens have no other menu. */
const PageLinks: FunctionalComponent = () => {
  const { page, theme } = useData()
  const links = [
    h("a", { href: "/all-pages" }, "All pages"),
    h("a", { href: `/${page.value.relativePath}`, target: "_self" }, "This page as Markdown"),
  ]
  return h("p", { class: "page-links" }, theme.value.editLink ? links : [...links, h(SourceFile)])
}

/** Names the file of the page, as long as there is no address at which it could be edited. */
const SourceFile: FunctionalComponent = () => {
  const { page } = useData()
  const howTo = h("a", { href: "/contributing" }, "how to change it")
  return h("span", ["Written in ", h("code", page.value.filePath), ": ", howTo])
}

const NotFound: FunctionalComponent = () =>
  h("main", { class: "not-found vp-doc", innerHTML: notFoundText })

export default {
  extends: DefaultTheme,
  enhanceApp({ siteData }) {
    const { themeConfig } = siteData.value
    const search = { ...themeConfig.search, options: addSearchOptions({}) }
    siteData.value = { ...siteData.value, themeConfig: { ...themeConfig, search } }
  },
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      "doc-footer-before": () => h(PageLinks),
      "not-found": () => h(NotFound),
    }),
} satisfies Theme
