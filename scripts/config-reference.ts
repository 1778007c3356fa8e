/**
 * Writes the reference of all options from the types and their comments: those of the configuration into
 * `docs/configuration.md`, and those of functions and providers that no other page lists into `docs/options.md`. With
 * `--check` it only checks whether the pages are up to date.
 */
import { writeGeneratedSection } from "./generated-sections.ts"
import { findOptionTables } from "./reference/option-homes.ts"
import { readComment, renderOptionTable } from "./reference/option-tables.ts"
import { findOptionTypes, type OptionBase, type OptionType } from "./reference/option-types.ts"

/** The tables of `docs/configuration.md` in their order: a heading, and its type. */
const configurationTables = [
  ["", "AuthConfig"],
  ["session", "SessionOptions"],
  ["session.rememberMe", "RememberMeOptions"],
  ["session.records", "SessionRecordOptions"],
  ["secondFactor", "SecondFactorOptions"],
  ["jwt", "JWTOptions"],
  ["callbacks", "CallbacksOptions"],
  ["events", "EventCallbacks"],
  ["pages", "PagesOptions"],
  ["theme", "Theme"],
  ["cookies", "CookiesOptions"],
  ["logger", "LoggerInstance"],
] as const

const functionsPage = "docs/options.md"

const types = findOptionTypes()

const configuration = configurationTables.map(([prefix, name]) => {
  const heading = `### ${prefix === "" ? "All options" : `\`${prefix}\``}`
  return `${heading}\n\n${renderOptionTable(findType(name), prefix)}`
})
writeGeneratedSection("docs/configuration.md", "options", configuration.join("\n\n"))

const handwritten = findOptionTables()
  .filter(({ file }) => file !== functionsPage)
  .flatMap(({ types: names }) => names)
const remaining = types.filter(
  ({ packageName, name }) => !handwritten.includes(`${packageName} ${name}`),
)
const groups = [...new Set(remaining.map(findGroup))].sort(compareGroups)
const sections = groups.map((group) => {
  const members = remaining.filter((type) => findGroup(type) === group)
  if (group === "Providers") members.sort(compareProviderTypes)
  return `## ${group}\n\n${members.map(renderSection).join("\n\n")}`
})
writeGeneratedSection(functionsPage, "options", sections.join("\n\n"))

function findType(wanted: string): OptionType {
  const type = types.find(
    ({ name, packageName }) => name === wanted && /core|pages/.test(packageName),
  )
  if (!type) throw new TypeError(`No entry of the core exports ${wanted}.`)
  return type
}

/** Sorts what most applications use before what follows by name. */
function compareGroups(first: string, second: string): number {
  const order = ["Providers", "`@latchkey/core`", "`@latchkey/client`"]
  const rank = (group: string) =>
    order.indexOf(group) + (order.includes(group) ? 0 : order.length + 1)
  return rank(first) - rank(second) || first.localeCompare(second)
}

/** Sorts what all providers have before what one of the catalogue has, and long lists first. */
function compareProviderTypes(first: OptionType, second: OptionType): number {
  const isOfOne = ({ declaration }: OptionType) =>
    declaration.getSourceFile().fileName.includes("/catalogue/")
  return (
    Number(isOfOne(first)) - Number(isOfOne(second)) || second.members.length - first.members.length
  )
}

/** The types of providers are a group of their own; all others are grouped by package. */
function findGroup({ packageName, declaration }: OptionType): string {
  const isOfProvider = declaration
    .getSourceFile()
    .fileName.startsWith("packages/core/src/providers/")
  return isOfProvider ? "Providers" : `\`${packageName}\``
}

function renderSection(type: OptionType): string {
  const comment = readComment(type.declaration)
  if (comment === "") throw new TypeError(`${type.name} has no comment.`)
  const bases = type.bases.filter(({ name }) => types.some((other) => other.name === name))
  const inherited = bases.map(renderBase).join(" and ")
  const more = inherited && ` Also accepted: ${inherited}.`
  return `### \`${type.name}\`\n\n${comment}${more}\n\n${renderOptionTable(type)}`
}

function renderBase({ name, only }: OptionBase): string {
  const what = only ? only.map((option) => `\`${option}\``).join(" and ") : "the options"
  return `${what} of \`${name}\``
}
