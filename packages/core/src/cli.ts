/** For `@latchkey/cli` of the same version. Covered by no promise: it may change with any release. */
export { type PreviewChoice, type PreviewIndex, renderPreviewIndex } from "@latchkey/pages/previews"
export {
  listPreviewLanguages,
  type PagePreview,
  type PagePreviewOptions,
  renderPagePreviews,
} from "./cli/page-previews.ts"
export { type ConfigProblem, findConfigProblems } from "./config/checks/warnings.ts"
