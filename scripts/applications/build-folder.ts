/** The folder in which applications are installed and built. It is kept, which makes later runs faster. */
import { createHash } from "node:crypto"
import { mkdirSync, statSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"

/**
 * Opens the folder. It is outside the repository, so that applications do not find its packages, and not below a
 * `node_modules`, where tools treat sources as third-party code.
 *
 * @throws Error if another user owns it
 */
export function openBuildFolder(): string {
  const repository = createHash("sha256").update(process.cwd()).digest("hex").slice(0, 8)
  const folder = join(tmpdir(), `latchkey-applications-${repository}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = userInfo()
  if (uid >= 0 && statSync(folder).uid !== uid) {
    throw new Error(`${folder} belongs to somebody else: remove it, or set TMPDIR.`)
  }
  return folder
}
