/** Checks that requests to the actions reach the handler of the framework package. */
import { existsSync } from "node:fs"
import { isAuthAction } from "@latchkey/core"
import { getUrlPath } from "./base-path.ts"
import { createErrorFinding, createWarningFinding, type Finding } from "./finding.ts"
import { detectFramework, type Framework } from "./framework.ts"
import { handlerNames } from "./mount-path.ts"
import { renewsSession } from "./next-routes.ts"
import type { Mount, Source } from "./sources.ts"

/** The line that mounts the actions in each framework. */
export const mountInstructions: Readonly<Record<Framework, string>> = {
  express:
    'Write app.use("/auth", MiddlewareAuth(authConfig)) before other routes and the 404 handler.',
  next: "Export the `handlers` of NextAuth(…) as GET and POST from src/app/api/auth/[...nextauth]/route.ts.",
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

/** Whether the sources tell that requests to the base path reach the actions. */
export function isMountRead(context: MountContext): boolean {
  const framework = detectFramework()
  if (framework === undefined || [...checkMount(context)].length > 0) return false
  // The hook of SvelteKit and the plugin of Qwik see every request.
  if (framework === "sveltekit" || framework === "qwik") return context.sources.length > 0
  return context.mount !== undefined
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
  const page = mount?.path.split("/").at(-1) ?? ""
  if (mount && isAuthAction(page)) {
    yield createPageMountFinding(mount, page)
    return
  }
  if (mount) yield* compareMount(framework, mount, context)
  if (framework === "solid-start" && !mount && existsSync("src/routes")) {
    const what =
      "No catch-all route under src/routes calls ReactiveAuth, so that no request reaches the actions."
    yield createErrorFinding("route-missing", what, mountInstructions[framework])
  }
  if (framework === "next") yield* checkNextRoutes(context)
  if (framework === "express" && basePath !== "/auth") {
    yield* checkExpressActions(context)
    yield* checkLinks(context)
  }
}

function createPageMountFinding({ file, path }: Mount, page: string): Finding {
  return createErrorFinding(
    "mount-page",
    `${file} mounts the actions at ${path}, so that the page ${page} is at ${path}/${page}.`,
    `Mount them at the path that all actions begin with: ${path.slice(0, -page.length - 1) || "/auth"}.`,
  )
}

function* compareMount(
  framework: Framework,
  { path, file }: Mount,
  { basePath }: MountContext,
): Generator<Finding> {
  const isBelow = basePath === path || basePath.startsWith(path === "/" ? path : `${path}/`)
  const isRoute = framework === "solid-start" || framework === "next"
  const isReached = isRoute ? basePath === path : isBelow
  if (isReached || framework === "sveltekit" || framework === "qwik") return
  yield createErrorFinding(
    "mount-differs",
    `${file} mounts the actions at ${path}, but their base path is ${basePath}: no request reaches them.`,
    isRoute
      ? `Use the same path for both: change the folder of the route, or \`${framework === "next" ? "basePath" : "prefix"}\` or AUTH_URL, which sets the base path.`
      : `Remove \`basePath\` from the configuration, or mount the actions at ${basePath}.`,
  )
}

function* checkNextRoutes({ sources, mount }: MountContext): Generator<Finding> {
  if (!mount) {
    const what =
      "No catch-all route under app or pages exports the handlers, so that no request reaches the actions."
    yield createErrorFinding("route-missing", what, mountInstructions.next)
  }
  if (renewsSession(sources)) return
  const what = "Nothing renews the session: components cannot set cookies."
  const fix =
    "Write `export { auth as proxy } from './auth'` in src/proxy.ts, or put <SessionProvider> around your pages: docs/next.md, \"Renewing the session\"."
  yield createWarningFinding("renewal-missing", what, fix)
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
    `Mount the actions at /auth, or set \`basePath: "${basePath}"\` in the configuration.`,
  )
}

/** Finds links to the pages at their usual place. */
function* checkLinks({ sources, mount, basePath }: MountContext): Generator<Finding> {
  const pattern = /["'`]\/auth\/(signin|signout)\b/
  const linking = sources.find(({ text }) => pattern.test(text))
  if (!linking || mount?.path !== basePath) return
  const [, page] = pattern.exec(linking.text) ?? []
  yield createWarningFinding(
    "link-differs",
    `${linking.file} leads to /auth/${page}, but the actions are at ${basePath}.`,
    `Lead to ${basePath}/${page}, or mount the actions at /auth in ${mount.file}.`,
  )
}
