import { DummyDriver, type Dialect as KyselyDialect } from "kysely"

/** A dialect of Kysely that compiles queries and cannot run them. */
export function createCompileOnlyDialect(
  parts: Pick<KyselyDialect, "createAdapter" | "createIntrospector" | "createQueryCompiler">,
): KyselyDialect {
  return { ...parts, createDriver: () => new DummyDriver() }
}
