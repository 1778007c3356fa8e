/** Loads the code that renders the built-in pages with the first page. */
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { PageServices, RenderPage } from "./page-description.ts"

/** Creates the function that renders the pages of a configuration. */
export function createPageRenderer(services: PageServices): RenderPage {
  // Processes that only check sessions or serve an API never load the module.
  return loadOnFirstCall(async () => (await import("./renderer.ts")).createRenderer(services))
}
