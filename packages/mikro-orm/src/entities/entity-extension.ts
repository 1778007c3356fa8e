/** What an application changes of an entity. */
export interface EntityExtension {
  /** The name of the table. @defaultValue what MikroORM's naming strategy makes of the entity's name */
  readonly tableName?: string
  /** Properties of its own, as `p` of MikroORM makes them. */
  readonly properties?: Readonly<Record<string, object>>
}

/** The part of a definition that an application can change. What it adds is left out of the types here. */
export function resolveExtension(
  baseProperties: object,
  { tableName, properties = {} }: EntityExtension = {},
): { table: { tableName?: string }; properties: object } {
  // A property of ours is not to be replaced: the adapter relies on what it is.
  const duplicateName = Object.keys(properties).find((name) => name in baseProperties)
  if (duplicateName !== undefined) {
    throw new TypeError(
      `defineEntities: there is a property ${duplicateName} already; choose another name`,
    )
  }
  return { table: tableName === undefined ? {} : { tableName }, properties }
}
