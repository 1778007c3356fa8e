import { createHash } from "node:crypto"

/** A Lua script, which Redis runs atomically. It accesses only the keys that it is passed. */
export interface Script {
  readonly source: string
  /** The name under which Redis caches the script. */
  readonly sha1: string
}

export function createScript(source: string): Script {
  return { source, sha1: createHash("sha1").update(source).digest("hex") }
}
