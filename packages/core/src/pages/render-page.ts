/** Loads the code that renders the built-in pages with the first page. */
import type { PageServices, RenderPage } from "./page-description.ts"

/** Creates the function that renders the pages of a configuration. */
export function createPageRenderer(services: PageServices): RenderPage {
  let renderer: Promise<RenderPage> | undefined
  return async (description, request) => {
    // Processes that only check sessions or serve an API never load the module.
    renderer ??= import("./renderer.ts").then(({ createRenderer }) => createRenderer(services))
    return (await renderer)(description, request)
  }
}
