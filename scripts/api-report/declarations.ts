/** Reports the declarations of a package: the names, signatures and options of each of its entries. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
} from "@microsoft/api-extractor"
import type { PublishedPackage } from "../published-packages.ts"

/** An entry of a package, such as `./adapters`, and its declaration file. */
interface Entry {
  readonly path: string
  readonly types: string
  /** Whether a pattern stands for it, such as `./providers/*`. */
  readonly isOfPattern: boolean
}

/** Entries for our own packages, which may change with any version. Only what they export is reported. */
const internalEntries =
  /^@latchkey\/(?:adapter-kit|cli|core\/(?:cli|integration|test-sessions)|pages)(?:\/(?!languages\/)|$)/

/**
 * Returns a report in Markdown: the names that each entry exports, and their declarations with those of the types that they
 * mention.
 *
 * @throws Error if a declaration cannot be read
 */
export function reportDeclarations(publishedPackage: PublishedPackage): string {
  const entries = listEntries(publishedPackage)
  const reports = entries.length > 0 ? extractReports(publishedPackage, entries) : []
  const names = entries.map(
    ({ path }, index) => `- \`${path}\`: ${listExports(reports[index] ?? "").join(", ")}`,
  )
  const reExports = listReExports(publishedPackage).map(
    (path) => `- \`${path}\`: those of \`@latchkey/core\``,
  )
  const declarations = [...new Set(reports.flatMap(splitDeclarations).map(removeExport))]
  const sorted = declarations.toSorted((a, b) => compareTexts(getName(a), getName(b)))
  return [
    `# ${publishedPackage.name}`,
    [...names, ...reExports].join("\n") || "It has a command, and no entries.",
    ...(sorted.length > 0 ? [`\`\`\`ts\n${sorted.join("\n\n")}\n\`\`\``] : []),
  ]
    .join("\n\n")
    .concat("\n")
}

function listEntries({ folder, exports }: PublishedPackage): Entry[] {
  const paths = readExportedPaths(folder)
  return Object.entries(exports).flatMap(([path, target]) =>
    typeof target === "string" || target["@latchkey/source"] === undefined
      ? []
      : [
          {
            path,
            types: resolve(folder, target.types ?? target.default),
            isOfPattern: !paths.includes(path),
          },
        ],
  )
}

/** Lists the patterns of a framework package, which re-exports all providers of the core. */
function listReExports({ folder, exports }: PublishedPackage): string[] {
  const hasSource = (target: unknown) => JSON.stringify(target).includes("@latchkey/source")
  return readExportedPaths(folder).filter((path) => {
    const [start = ""] = path.split("*")
    return (
      path.includes("*") &&
      !Object.entries(exports).some(([each, target]) => each.startsWith(start) && hasSource(target))
    )
  })
}

function readExportedPaths(folder: string): string[] {
  return Object.keys(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).exports)
}

/** Returns the declarations of a report, without comments. */
function splitDeclarations(report: string): string[] {
  return report
    .replace(/^ *\/\/ .*\n/gm, "")
    .split(/\n{2,}/)
    .map((text) => text.trim())
    .filter((text) => text !== "" && !/^(?:import|export \{|export \*)/.test(text))
}

function listExports(report: string): string[] {
  const names = [...report.matchAll(/^export (default|\{|\*)?.*$/gm)].map(([line, form]) => {
    if (form === "*")
      return `everything of ${line.replace(/^export \* from |;$/g, "").replaceAll('"', "`")}`
    if (form === "{") return line.replace(/^export \{ (?:\w+ as )?| \}$/g, "")
    return form ?? getName(removeExport(line))
  })
  return [...new Set(names)].sort(compareTexts)
}

function removeExport(declaration: string): string {
  return declaration.replace(/^export (?:default \w+;?$)?(?:default |declare )?/gm, "").trim()
}

/** Returns the name of a declaration. */
function getName(declaration: string): string {
  const keywords =
    /^(?:(?:abstract|async|class|const|enum|function|interface|let|namespace|type|unique) )+(\w+)/
  return keywords.exec(declaration)?.[1] ?? declaration
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns a report of API Extractor for each entry: TypeScript with comments. */
function extractReports({ folder, name }: PublishedPackage, entries: readonly Entry[]): string[] {
  const reportFolder = mkdtempSync(join(tmpdir(), "latchkey-api-"))
  try {
    const configs = entries.map((entry) => {
      const isInternal = internalEntries.test(name + entry.path.slice(1))
      return createConfig(resolve(folder), entry, isInternal, reportFolder)
    })
    const compilerState = CompilerState.create(configs[0] as ExtractorConfig, {
      additionalEntryPoints: entries.map(({ types }) => types),
    })
    return configs.map((config) => {
      const { succeeded } = Extractor.invoke(config, {
        compilerState,
        localBuild: true,
        messageCallback: (message) => {
          message.handled = message.logLevel !== ExtractorLogLevel.Error
        },
      })
      if (!succeeded) throw new Error(`There is no report of ${config.mainEntryPointFilePath}`)
      const [code = ""] =
        /(?<=```ts\n).*(?=```)/s.exec(readFileSync(config.reportFilePath, "utf8")) ?? []
      return code
    })
  } finally {
    rmSync(reportFolder, { recursive: true, force: true })
  }
}

function createConfig(
  folder: string,
  entry: Entry,
  isInternal: boolean,
  reportFolder: string,
): ExtractorConfig {
  const off = { default: { logLevel: ExtractorLogLevel.None } }
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(folder, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: entry.types,
      compiler: { overrideTsconfig: createCompilerConfig(entry.types) },
      apiReport: {
        enabled: true,
        reportFolder,
        reportTempFolder: reportFolder,
        reportFileName: entry.path.replace(/[^\w-]/g, "_"),
        // Types that are mentioned without being exported are part of signatures. Modules of a pattern mention the same ones.
        includeForgottenExports: !isInternal && !entry.isOfPattern,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: off,
        tsdocMessageReporting: off,
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
      },
      newlineKind: "lf",
    },
  })
}

function createCompilerConfig(file: string) {
  const { compilerOptions } = JSON.parse(readFileSync("tsconfig.base.json", "utf8"))
  const { target, module, moduleResolution } = compilerOptions
  const lib = ["es2023", "dom", "dom.iterable"]
  const shared = { target, module, moduleResolution, lib, types: ["node"], strict: true }
  return { compilerOptions: { ...shared, skipLibCheck: true }, files: [file] }
}
