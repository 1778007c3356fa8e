import type { AuthConfig } from "@latchkey/core"

/** The configuration. Hand over the same object everywhere: it is compiled once, and never written to. */
export interface ReactiveAuthConfig extends Omit<AuthConfig, "raw"> {
  /**
   * The path of the folder under `src/routes` that has the catch-all route. Wins over `basePath`, which says the same.
   *
   * @defaultValue `basePath`, else the path of `AUTH_URL`, else `"/api/auth"`
   */
  prefix?: string
}
