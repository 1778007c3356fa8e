/** Bundles entries as a bundler for the edge does: minified, for no particular platform, and compressed with gzip. */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

/** A bundle that is measured. */
interface BundleEntry {
  readonly title: string
  readonly specifier: string
  /** The exports of the bundle. The bundler removes code that none of them needs. */
  readonly exports: string
}

const entries = {
  latchkey: { title: "Latchkey", specifier: "@latchkey/core", exports: "{ createAuth }" },
  latchkeyReader: {
    title: "Latchkey, a worker that only reads sessions",
    specifier: "@latchkey/core/session-reader",
    exports: "*",
  },
  reference: { title: "Auth.js", specifier: "@auth/core", exports: "{ Auth }" },
  referenceReader: {
    title: "Auth.js, a worker that only reads sessions (`getToken`)",
    specifier: "@auth/core/jwt",
    exports: "{ getToken }",
  },
} as const satisfies Record<string, BundleEntry>

export type BundleId = keyof typeof entries

/** Bytes after compression. */
interface BundleSize {
  readonly title: string
  /** The code that loads at the start, without dependencies. */
  readonly own: number
  /** The code that loads at the start, with dependencies. */
  readonly complete: number
  /** With these packages and everything that is loaded on first use. */
  readonly everything: number
}

/** The sizes by bundle. An entry that does not exist is missing. */
export type BundleSizes = Readonly<Partial<Record<BundleId, BundleSize>>>

/** Measures all bundles. */
export async function measureBundles(): Promise<BundleSizes> {
  const sizes: Partial<Record<BundleId, BundleSize>> = {}
  for (const id of Object.keys(entries) as BundleId[]) {
    const file = resolveEntry(entries[id].specifier)
    if (file) sizes[id] = await measureBundle(entries[id], file)
  }
  return sizes
}

function resolveEntry(specifier: string): string | undefined {
  try {
    const file = fileURLToPath(import.meta.resolve(specifier))
    return existsSync(file) ? file : undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // Node's own errors have codes
    if (code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return undefined
    throw error
  }
}

async function measureBundle({ title, exports }: BundleEntry, file: string): Promise<BundleSize> {
  const code = `export ${exports} from ${JSON.stringify(file)}`
  const own = await bundle(code, "external")
  const complete = await bundle(code, "bundle")
  return { title, own: own.atStart, complete: complete.atStart, everything: complete.everything }
}

async function bundle(
  code: string,
  packages: "external" | "bundle",
): Promise<{ atStart: number; everything: number }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname, sourcefile: "entry.js" },
    outdir: "bundle",
    absWorkingDir: import.meta.dirname,
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["worker"], // Otherwise, a dependency of Auth.js would need Node.js.
    packages,
    logLevel: "error",
  })
  const loaded = new Set(["bundle/stdin.js"])
  // Files that are added during the loop are visited, too.
  for (const path of loaded) {
    for (const { kind, path: imported, external } of metafile.outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && !external) loaded.add(imported)
    }
  }
  const compress = (files: typeof outputFiles) =>
    gzipSync(Buffer.concat(files.map(({ contents }) => contents)), { level: 9 }).byteLength
  const isLoaded = ({ path }: { path: string }) =>
    [...loaded].some((name) => path.endsWith(`/${name}`))
  return { atStart: compress(outputFiles.filter(isLoaded)), everything: compress(outputFiles) }
}
