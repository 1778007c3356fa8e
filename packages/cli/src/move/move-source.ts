/** Moves one source file: its modules, names and configuration. */
import { addImports } from "./added-import.ts"
import { moveConfiguration } from "./configuration.ts"
import { findModuleReferences, replaceModules } from "./module-references.ts"
import { guardQwikConfigurations } from "./qwik.ts"
import {
  type MoveTools,
  mergeMoves,
  noMoves,
  type ParsedSource,
  parseSource,
  type SourceMoves,
} from "./source-file.ts"
import { findScripts } from "./svelte-scripts.ts"

/** A file of the project. */
export interface SourceText {
  /** The path from the folder of the project, with `/`. */
  readonly path: string
  readonly text: string
  /** False if the text lacks characters of the file, which has another encoding. */
  readonly isUtf8?: boolean
}

/** Returns what to change in a file. A file with syntax errors stays as it is. */
export function moveSource(file: SourceText, tools: MoveTools): SourceMoves {
  const { edits, advice } = moveScripts(file, tools)
  if (!file.text.includes("\r\n")) return { edits, advice }
  return {
    edits: edits.map((edit) => ({ ...edit, text: edit.text.replaceAll("\n", "\r\n") })),
    advice,
  }
}

function moveScripts({ path, text }: SourceText, tools: MoveTools): SourceMoves {
  if (!path.endsWith(".svelte")) return moveText(parseSource(tools.ts, path, text), tools)
  const moves = findScripts(text).map((script) => {
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
  const { replaceableProviders } = tools
  if (!source) return { edits: [], advice: [{ position: 0, text: syntaxErrorAdvice }] }
  const references = findModuleReferences(source, replaceableProviders)
  const uses = (...modules: string[]) =>
    references.some(({ specifier }) => modules.includes(specifier))
  const isUsed = references.some(({ move }) => move.kind === "moved")
  const { edits, advice, imports } = mergeMoves([
    replaceModules(source, references, tools),
    isUsed
      ? moveConfiguration(source, { basePathWasIgnored: uses("@auth/qwik", "@auth/sveltekit") })
      : noMoves,
    uses("@auth/qwik") ? guardQwikConfigurations(source, tools.qwikModule) : noMoves,
  ])
  return { edits: [...edits, ...addImports(source, imports ?? [])], advice }
}

/** Whether a source, or each script of a component, can be parsed. */
export function isParsable({ path, text }: SourceText, { ts }: Pick<MoveTools, "ts">): boolean {
  const scripts = path.endsWith(".svelte") ? findScripts(text) : undefined
  return scripts
    ? scripts.every((script) => parseSource(ts, `${path}.ts`, script.text))
    : parseSource(ts, path, text) !== undefined
}

const syntaxErrorAdvice = "This file cannot be parsed: change its imports of Auth.js by hand."
