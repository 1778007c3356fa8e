/** Finds out which import of a module has no file. */

/**
 * Returns the import of an entry that a package does not have; undefined if the message of Node.js says something else. Any
 * provider has a path, but not every path has a file.
 */
export function findUnknownEntry(errorMessage: string): string | undefined {
  // Paths have backslashes on Windows.
  const message = errorMessage.replaceAll("\\", "/")
  const [, path, folder = ""] =
    /Package subpath '\.\/([^']+)'.* in (.+)\/package\.json/.exec(message) ?? []
  if (path !== undefined) return `${folder.replace(/^.*node_modules\//, "")}/${path}`
  const [, name, provider] =
    /Cannot find module '[^']*(@latchkey\/[^/']+)\/(?:dist|src)\/providers\/(?:catalogue\/)?([^/']+)\.[jt]s'/.exec(
      message,
    ) ?? []
  return provider === undefined ? undefined : `${name}/providers/${provider}`
}
