/** Imports a module of the application. */
import nodeModule from "node:module"
import { Server } from "node:net"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { usesVite } from "./framework.ts"

/**
 * Imports a module, unless it starts a server: the port may be in use, and requests would be sent to it. From then on,
 * this process starts none, because an application may do so later, such as when its database is connected.
 *
 * @throws the error of the module
 */
export async function importModule(
  file: string,
): Promise<Record<string, unknown> | "starts-server"> {
  const serverStarted = new Promise<"starts-server">((resolveStart) => {
    Server.prototype.listen = function ignoreStart(this: Server) {
      resolveStart("starts-server")
      return this
    }
  })
  const hooks = usesVite() ? defineViteVariables() : undefined
  try {
    return await Promise.race([serverStarted, import(pathToFileURL(resolve(file)).href)])
  } finally {
    hooks?.deregister()
  }
}

/** Defines `import.meta.env` in the modules of the application, as Vite does. Needs Node.js 22.15. */
function defineViteVariables(): { deregister(): void } | undefined {
  const isProduction = process.env["NODE_ENV"] === "production"
  const mode = isProduction ? "production" : "development"
  const variables = { MODE: mode, DEV: !isProduction, PROD: isProduction, SSR: true }
  return nodeModule.registerHooks?.({
    load(url, context, nextLoad) {
      const result = nextLoad(url, context)
      if (url.includes("/node_modules/") || !result.format?.startsWith("module")) return result
      const source = `import.meta.env = ${JSON.stringify(variables)};${result.source}`
      return { ...result, source }
    },
  })
}
