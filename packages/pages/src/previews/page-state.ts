/** Describes a state of a page, and the application that it belongs to. */
import type { PageDescription } from "../pages/page-description.ts"
import type { PageProvider } from "../pages/page-provider.ts"

/** A page in one of its states. */
export interface PageState {
  /** Name for files and URLs. */
  readonly name: string
  readonly title: string
  readonly description: PageDescription
}

/** The application whose pages are shown. */
export interface PreviewedApplication {
  readonly homeUrl: string
  /** URL of the actions, without a slash at its end. */
  readonly actionsUrl: string
  readonly providers: readonly PageProvider[]
}

/** The address of a made-up visitor. */
export const sampleEmail = "ada@example.com"
