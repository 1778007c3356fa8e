import { type Theme, useData } from "vitepress"
import DefaultTheme from "vitepress/theme-without-fonts"
import { type FunctionalComponent, h } from "vue"
import "./style.css"

/** Links that every page ends with. Without JavaScript, small screens have no other menu. */
const PageLinks: FunctionalComponent = () => {
  const { page } = useData()
  return h("p", { class: "page-links" }, [
    h("a", { href: "/all-pages" }, "All pages"),
    h("a", { href: `/${page.value.relativePath}`, target: "_self" }, "This page as Markdown"),
  ])
}

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "doc-footer-before": () => h(PageLinks) }),
} satisfies Theme
