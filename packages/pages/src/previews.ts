/** The entry `@latchkey/pages/previews`: the pages in all their states, for tools and tests. */
export { isLanguage } from "./messages/select-language.ts"
export type { PageState, PreviewedApplication } from "./previews/page-state.ts"
export { listPageStates } from "./previews/page-states.ts"
export {
  type PreviewChoice,
  type PreviewIndex,
  renderPreviewIndex,
} from "./previews/preview-index.ts"
