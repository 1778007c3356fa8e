/** Checks that requests to the actions reach the handler of the framework package. */
import { existsSync } from "node:fs"
import { getUrlPath } from "./base-path.ts"
import { createErrorFinding, createWarningFinding, type Finding } from "./finding.ts"
import { detectFramework, type Framework } from "./framework.ts"
import { handlerNames, type Mount, type Source } from "./mount-path.ts"

/** The line that mounts the actions in each framework. */
export const mountInstructions: Readonly<Record<Framework, string>> = {
  express:
    'Write app.use("/auth", MiddlewareAuth(authConfig)) before other routes and the 404 handler.',
  sveltekit: "Export `handle` of CompiledAuth(authConfig) from src/hooks.server.ts.",
  "solid-start":
    "Export GET and POST of ReactiveAuth(authConfig) from src/routes/api/auth/[...auth].ts.",
  qwik: "Export `onRequest` of ResumableAuth$(…) from src/routes/plugin@auth.ts.",
}

export interface MountContext {
  readonly sources: readonly Source[]
  readonly mount: Mount | undefined
  readonly basePath: string
  /** The exported configuration. */
  readonly config: { readonly basePath?: unknown }
  readonly authUrl: string | undefined
}

export function* checkMount(context: MountContext): Generator<Finding> {
  const { sources, mount, basePath } = context
  const framework = detectFramework()
  if (framework === undefined || sources.length === 0) return
  const name = handlerNames[framework]
  const isMissing = !sources.some(({ text }) => text.includes(`${name}(`))
  const lacksHook =
    framework === "sveltekit" && !sources.some(({ file }) => /(?:^|\/)hooks\.server/.test(file))
  if (isMissing || lacksHook) {
    const what = isMissing
      ? `No file of this folder calls ${name}, so that no request reaches the actions.`
      : "There is no src/hooks.server.ts, so that no request reaches the actions."
    yield createWarningFinding("route-missing", what, mountInstructions[framework])
    return
  }
  if (mount) yield* compareMount(framework, mount, context)
  if (framework === "solid-start" && !mount && existsSync("src/routes")) {
    const what =
      "No catch-all route under src/routes calls ReactiveAuth, so that no request reaches the actions."
    yield createErrorFinding("route-missing", what, mountInstructions[framework])
  }
  if (framework === "express" && basePath !== "/auth") yield* checkExpressActions(context)
}

function* compareMount(
  framework: Framework,
  { path, file }: Mount,
  { basePath }: MountContext,
): Generator<Finding> {
  const isBelow = basePath === path || basePath.startsWith(path === "/" ? path : `${path}/`)
  const isReached = framework === "solid-start" ? basePath === path : isBelow
  // The hook of SvelteKit and the plugin of Qwik see every request.
  if (isReached || framework === "sveltekit" || framework === "qwik") return
  yield createErrorFinding(
    "mount-differs",
    `${file} mounts the actions at ${path}, but their base path is ${basePath}: no request reaches them.`,
    `Use the same path for both: change the mount, or ${framework === "solid-start" ? "`prefix`" : "`basePath`"} or AUTH_URL, which sets the base path.`,
  )
}

/** In routes of the application, Express does not say where the middleware is mounted. */
function* checkExpressActions({
  sources,
  mount,
  basePath,
  config,
  authUrl,
}: MountContext): Generator<Finding> {
  const isConfigured = config.basePath !== undefined || getUrlPath(authUrl) === basePath
  if (isConfigured || mount?.path !== basePath) return
  const caller = sources.find(({ text }) => /\bsign(?:In|Out)\(\s*(?:req|request)\b/.test(text))
  if (!caller) return
  yield createErrorFinding(
    "base-path-missing",
    `The actions are mounted at ${basePath}, but signIn and signOut in ${caller.file} assume /auth.`,
    `Set \`basePath: "${basePath}"\` in the configuration.`,
  )
}
