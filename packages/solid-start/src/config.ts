import type { AuthConfig } from "@latchkey/core"

/** The configuration. Pass the same object everywhere: it is compiled once, and never written to. */
export interface ReactiveAuthConfig extends Omit<AuthConfig, "raw"> {
  /**
   * The path of the folder under `src/routes` with the catch-all route. Replaces `basePath`, which means the same.
   *
   * @defaultValue `basePath`, else the path of `AUTH_URL`, else `"/api/auth"`
   */
  prefix?: string
}
