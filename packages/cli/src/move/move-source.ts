/** Moves one source file: its modules, names and configuration. */
import { adoptLineBreaks } from "../text.ts"
import { addImports } from "./added-import.ts"
import { isIntegration, moveAstro } from "./astro.ts"
import { findScripts, isComponent } from "./component-scripts.ts"
import { moveConfiguration } from "./configuration.ts"
import { moveHono } from "./hono.ts"
import { findModuleReferences, replaceModules } from "./module-references.ts"
import { moveNuxt } from "./nuxt.ts"
import { guardQwikConfigurations } from "./qwik.ts"
import {
  type MoveTools,
  mergeMoves,
  noMoves,
  type ParsedSource,
  parseSource,
  type SourceMoves,
  type SourceText,
} from "./source-file.ts"
import type { SourceLibrary } from "./source-library.ts"

/** Returns what to change in a file. A file with syntax errors stays as it is. */
export function moveSource(file: SourceText, tools: MoveTools): SourceMoves {
  const { edits, advice } = moveScripts(file, tools)
  return {
    edits: edits.map((edit) => ({ ...edit, text: adoptLineBreaks(edit.text, file.text) })),
    advice,
  }
}

function moveScripts({ path, text }: SourceText, tools: MoveTools): SourceMoves {
  if (!isComponent(path)) return moveText(parseSource(tools.ts, path, text), tools)
  const moves = findScripts(path, text).map((script) => {
    const source = parseSource(tools.ts, `${path}.ts`, script.text, true)
    const { edits, advice } = moveText(source, tools)
    return {
      edits: edits.map((edit) => ({
        ...edit,
        start: edit.start + script.start,
        end: edit.end + script.start,
      })),
      advice: advice.map((item) => ({ ...item, position: item.position + script.start })),
    }
  })
  return mergeMoves(moves)
}

function moveText(source: ParsedSource | undefined, tools: MoveTools): SourceMoves {
  if (!source) return { edits: [], advice: [{ position: 0, text: syntaxErrorAdvice }] }
  const references = findModuleReferences(source, tools).filter(
    ({ literal }) => !isIntegration(source, literal),
  )
  const uses = (...modules: string[]) =>
    references.some(({ specifier }) => modules.includes(specifier))
  const isUsed = references.some(({ move }) => move.kind === "moved")
  const { edits, advice, imports } = mergeMoves([
    replaceModules(source, references, tools),
    isUsed
      ? moveConfiguration(source, {
          basePathWasIgnored: uses("@auth/qwik", "@auth/sveltekit"),
          hasAuthjsLogger: !["next-auth-4", "nuxt-auth"].includes(tools.library),
        })
      : noMoves,
    uses("@auth/qwik") ? guardQwikConfigurations(source, tools.qwikModule) : noMoves,
    moveLibrary(source, tools.library),
  ])
  return { edits: [...edits, ...addImports(source, imports ?? [])], advice }
}

/** Converts the calls of a library that is built on Auth.js. */
function moveLibrary(source: ParsedSource, library: SourceLibrary): SourceMoves {
  if (library === "hono-auth-js") return moveHono(source)
  if (library === "auth-astro") return moveAstro(source)
  return library === "nuxt-auth" ? moveNuxt(source) : noMoves
}

/** Whether a source, or each script of a component, can be parsed. */
export function isParsable({ path, text }: SourceText, { ts }: Pick<MoveTools, "ts">): boolean {
  const scripts = isComponent(path) ? findScripts(path, text) : undefined
  return scripts
    ? scripts.every((script) => parseSource(ts, `${path}.ts`, script.text))
    : parseSource(ts, path, text) !== undefined
}

const syntaxErrorAdvice = "This file cannot be parsed: change its imports of Auth.js by hand."
