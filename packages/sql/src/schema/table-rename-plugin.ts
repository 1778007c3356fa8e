import {
  IdentifierNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type QueryId,
  type SchemableIdentifierNode,
} from "kysely"
import type { TableNames } from "./tables.ts"

/** Creates a plugin that replaces the names of entities in queries with the application's table names. */
export function createTableRenamePlugin(names: TableNames): KyselyPlugin {
  const renamer = new TableRenamer(names)
  return {
    transformQuery: ({ node, queryId }) => renamer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}

class TableRenamer extends OperationNodeTransformer {
  readonly #names: ReadonlyMap<string, string>

  constructor(names: TableNames) {
    super()
    this.#names = new Map(Object.entries(names))
  }

  protected override transformSchemableIdentifier(
    node: SchemableIdentifierNode,
    queryId: QueryId,
  ): SchemableIdentifierNode {
    const name = this.#names.get(node.identifier.name)
    if (name === undefined) return super.transformSchemableIdentifier(node, queryId)
    return { ...node, identifier: IdentifierNode.create(name) }
  }
}
