/**
 * Compiles every TypeScript example of the Markdown files, against the packages' declarations, as an
 * application's compiler would see them. A block marked "ts fragment" is left out.
 */
import { spawnSync } from "node:child_process"
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { publishedPackages } from "./published.ts"

const FOLDER = "node_modules/.cache/examples"
const packages = publishedPackages().map(({ folder }) => `${folder}/*.md`)
const markdown = ["*.md", "docs/**/*.md", ...packages]
const { references } = JSON.parse(readFileSync("demo/tsconfig.json", "utf8"))

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })

const examples = globSync(markdown).flatMap((file) => examplesOf(file))
for (const { name, code } of examples) writeFileSync(`${FOLDER}/${name}`, code)
writeFileSync(`${FOLDER}/package.json`, JSON.stringify({ type: "module" }))
writeFileSync(
  `${FOLDER}/tsconfig.json`,
  JSON.stringify({
    extends: "../../../tsconfig.check.json",
    compilerOptions: { incremental: false },
    include: ["."],
    references: references.map(({ path }: { path: string }) => ({ path: `../../${path}` })),
  }),
)
const command = ["node_modules/typescript/bin/tsc", "-b", FOLDER]
const { status } = spawnSync(process.execPath, command, { stdio: "inherit" })
console.log(`examples: ${examples.length} compiled, exit status ${status}`)
process.exitCode = status === 0 && examples.length > 0 ? 0 : 1

/** The blocks marked `ts` of a file, each with a file name that leads back to its line. */
function examplesOf(file: string): { name: string; code: string }[] {
  const text = readFileSync(file, "utf8")
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((block) => {
    const line = text.slice(0, block.index).split("\n").length
    const name = `${file.replaceAll("/", "-")}-line-${line}.ts`
    return { name, code: block[1] ?? "" }
  })
}
