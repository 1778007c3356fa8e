import { createHash } from "node:crypto"

/** A Lua script: what it does, it does alone and as a whole. It names no key that it was not given. */
export interface Script {
  readonly source: string
  /** The name that Redis knows it by, once it has seen it. */
  readonly sha1: string
}

/** Describes a script. */
export function createScript(source: string): Script {
  return { source, sha1: createHash("sha1").update(source).digest("hex") }
}
