/** The entry `@latchkey/core/cli`: what `@latchkey/cli` and other tools need. */
export { type PreviewChoice, type PreviewIndex, renderPreviewIndex } from "@latchkey/pages/previews"
export {
  listPreviewLanguages,
  type PagePreview,
  type PagePreviewOptions,
  renderPagePreviews,
} from "./cli/page-previews.ts"
