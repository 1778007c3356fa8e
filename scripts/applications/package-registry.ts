/**
 * A package registry on this machine with the packed packages, from which npm installs them by their names. It starts at once;
 * the one of the rehearsal has to be filled by a release before.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Environment } from "./catalogue.ts"
import { packedTarballs } from "./tarballs.ts"

/** A running registry. */
export interface PackageRegistry extends AsyncDisposable {
  /** The variables that make npm use it for our packages. All others come from the usual registry. */
  readonly env: Environment
}

/** A tarball, and what the registry says about its package. */
interface RegistryEntry {
  readonly manifest: { readonly name: string; readonly version: string }
  readonly tarball: Buffer
  readonly integrity: string
}

/** Starts a registry with all packed packages. */
export async function startPackageRegistry(): Promise<PackageRegistry> {
  const entries = new Map(readTarballs().map((entry) => [entry.manifest.name, entry]))
  const server = createServer((req, res) => {
    const path = decodeURIComponent(req.url ?? "/").slice(1)
    const entry = entries.get(path.replace(/\.tgz$/, ""))
    if (!entry) res.writeHead(404).end()
    else if (path.endsWith(".tgz")) res.end(entry.tarball)
    else res.end(JSON.stringify(describePackage(entry, `http://${req.headers.host}`)))
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  const folder = mkdtempSync(join(tmpdir(), "latchkey-registry-"))
  // A variable cannot contain this setting, because shells drop variables with such a name.
  const npmConfig = join(folder, "npmrc")
  writeFileSync(npmConfig, `@latchkey:registry=http://127.0.0.1:${port}/\n`)
  return {
    env: {
      npm_config_globalconfig: npmConfig,
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function readTarballs(): RegistryEntry[] {
  return globSync("*.tgz", { cwd: packedTarballs.folder }).map((name) => {
    const file = join(packedTarballs.folder, name)
    const tarball = readFileSync(file)
    const json = execFileSync("tar", ["-xzOf", file, "package/package.json"], { encoding: "utf8" })
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`
    return { manifest: JSON.parse(json), tarball, integrity }
  })
}

/** Returns what npm reads about a package: here, its only version. */
function describePackage({ manifest, integrity }: RegistryEntry, origin: string) {
  const { name, version } = manifest
  const dist = { tarball: `${origin}/${name}.tgz`, integrity }
  const versions = { [version]: { ...manifest, dist } }
  return { name, "dist-tags": { latest: version }, versions }
}
