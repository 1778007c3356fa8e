/** Moves the dependencies in a `package.json`. */
import type ts from "typescript"
import { findIndent } from "./added-import.ts"
import { movedPackages } from "./modules.ts"
import type { SourceText } from "./move-source.ts"
import { findOldAuthjsAdvice, findOldestVersion, isOlder } from "./required-versions.ts"
import {
  type Advice,
  noMoves,
  type ParsedSource,
  parseSource,
  replaceNode,
  type SourceMoves,
} from "./source-file.ts"
import type { TextEdit } from "./text-edits.ts"
import type { TypeScript } from "./typescript.ts"

export interface PackageVersions {
  /** The range for packages of Latchkey. */
  readonly latchkey: string
  /** The range for `@auth/core`, if it is not listed yet. */
  readonly authCore: string
}

/** A dependency that the file lists. */
interface Dependency {
  readonly section: string
  readonly name: string
  readonly range: string
  readonly property: ts.PropertyAssignment
}

const sections = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]

/** Whether a `package.json` lists a package that Latchkey replaces. */
export function listsAuthjs(text: string): boolean {
  return Object.keys(movedPackages).some((name) => text.includes(`"${name}"`))
}

/** Packages that are built on `@auth/core`: provider objects and types that they receive must stay those of Auth.js. */
const dependentPackages = [
  "@builder.io/qwik-auth",
  "@convex-dev/auth",
  "@hono/auth-js",
  "@sidebase/nuxt-auth",
  "auth-astro",
  "next-auth",
]

/** Returns what stops the move of a package; undefined if nothing does, or it lists a framework package of Auth.js. */
export function findObstacle(text: string): Advice | undefined {
  const frameworks = Object.keys(movedPackages).filter((name) => name !== "@auth/core")
  if (frameworks.some((name) => text.includes(`"${name}":`))) return undefined
  const name = dependentPackages.find((dependent) => text.includes(`"${dependent}":`))
  if (name === undefined) return undefined
  return {
    position: text.indexOf(`"${name}":`),
    text: `${name} is built on Auth.js, and Latchkey has no counterpart: everything in this folder stays as it is.`,
  }
}

/**
 * Returns what to change in a `package.json`.
 *
 * @param imported the packages that the moved sources import
 */
export function moveManifest(
  ts: TypeScript,
  { path, text }: SourceText,
  imported: ReadonlySet<string>,
  versions: PackageVersions,
): SourceMoves {
  const source = parseSource(ts, path, text)
  const dependencies = source ? listDependencies(source) : []
  const authjs = dependencies.filter(({ name }) => name in movedPackages)
  const moved = authjs.filter(({ name }) => name !== "@auth/core" || !imported.has(name))
  const anchor = moved[0] ?? authjs[0]
  if (!source || !anchor) return noMoves
  const staying = dependencies.filter((dependency) => !moved.includes(dependency))
  const added = listAddedPackages(moved, imported).filter(
    (name) =>
      ![...staying.map((dependency) => dependency.name), ...listTargets(moved)].includes(name),
  )
  const raised = staying.flatMap((dependency) => raiseVersion(dependency, moved))
  return {
    edits: [
      ...moved.flatMap(({ name, property }) => [
        replaceNode(property.name, JSON.stringify(movedPackages[name]?.to ?? name)),
        replaceNode(property.initializer, JSON.stringify(versions.latchkey)),
      ]),
      ...raised.map(({ edit }) => edit),
      ...added.map((name) => {
        const range = name === "@auth/core" ? versions.authCore : versions.latchkey
        return addDependency(source, { name, range, dependencies, anchor })
      }),
    ],
    advice: [...raised.map(({ advice }) => advice), ...moved.flatMap(adviseOldAuthjs)],
  }
}

function adviseOldAuthjs({ name, range, property }: Dependency): Advice[] {
  const text = findOldAuthjsAdvice(name, range)
  return text === undefined ? [] : [{ position: property.getStart(), text }]
}

const listTargets = (moved: readonly Dependency[]): string[] =>
  moved.map(({ name }) => movedPackages[name]?.to ?? name)

/** Lists the packages that the sources import directly. What Qwik builds imports `@latchkey/core`. */
function listAddedPackages(
  moved: readonly Dependency[],
  imported: ReadonlySet<string>,
): readonly string[] {
  const isQwik = moved.some(({ name }) => name === "@auth/qwik")
  return [...new Set([...(isQwik ? ["@latchkey/core"] : []), ...imported])].sort()
}

function listDependencies({ ts, file }: ParsedSource): Dependency[] {
  const [statement] = file.statements
  if (!statement || !ts.isExpressionStatement(statement)) return []
  return listProperties(ts, statement.expression)
    .filter(({ name }) => sections.includes(name.text))
    .flatMap(({ name: section, initializer }) =>
      listProperties(ts, initializer).flatMap((property) =>
        ts.isStringLiteral(property.initializer)
          ? [
              {
                section: section.text,
                name: property.name.text,
                range: property.initializer.text,
                property,
              },
            ]
          : [],
      ),
    )
}

/** A property of JSON. */
type JsonProperty = ts.PropertyAssignment & { readonly name: ts.StringLiteral }

function listProperties(ts: TypeScript, object: ts.Expression): JsonProperty[] {
  if (!ts.isObjectLiteralExpression(object)) return []
  return object.properties.filter(
    (member): member is JsonProperty =>
      ts.isPropertyAssignment(member) && ts.isStringLiteral(member.name),
  )
}

interface Addition {
  readonly name: string
  readonly range: string
  readonly dependencies: readonly Dependency[]
  /** The dependency that it replaces or accompanies. */
  readonly anchor: Dependency
}

/** Adds a dependency beside the anchor; what a built Qwik application imports, to `dependencies`. */
function addDependency(
  source: ParsedSource,
  { name, range, dependencies, anchor }: Addition,
): TextEdit {
  const entry = `${JSON.stringify(name)}: ${JSON.stringify(range)}`
  const isForRuntime = anchor.name === "@auth/qwik" && name === "@latchkey/core"
  const neighbour =
    isForRuntime && anchor.section !== "dependencies"
      ? dependencies.findLast(({ section }) => section === "dependencies")
      : anchor
  if (neighbour) {
    const { property } = neighbour
    const end = property.getEnd()
    const indent = findIndent(source, property.getStart())
    return { start: end, end, text: `,\n${indent}${entry}` }
  }
  const section = anchor.property.parent.parent
  const position = section.getStart()
  const indent = findIndent(source, position)
  const start = position - indent.length
  const text = `${indent}"dependencies": {\n${indent}${indent}${entry}\n${indent}},\n`
  return { start, end: start, text }
}

/** Raises the version of a framework that Latchkey's package for it does not support. */
function raiseVersion(
  { name, range, property }: Dependency,
  moved: readonly Dependency[],
): { readonly edit: TextEdit; readonly advice: Advice }[] {
  return moved.flatMap((authjs) => {
    const oldest = findOldestVersion(authjs.name, name)
    if (oldest === undefined || !isOlder(range, oldest)) return []
    const text =
      `${name} ${range} becomes ^${oldest}, the oldest version that ` +
      `${movedPackages[authjs.name]?.to} supports. Try what uses it.`
    return [
      {
        edit: replaceNode(property.initializer, `"^${oldest}"`),
        advice: { position: property.getStart(), text },
      },
    ]
  })
}
