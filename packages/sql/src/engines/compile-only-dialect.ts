import { DummyDriver, type Dialect as KyselyDialect } from "kysely"

/** Creates a Kysely dialect that compiles queries and cannot run them. */
export function createCompileOnlyDialect(
  parts: Pick<KyselyDialect, "createAdapter" | "createIntrospector" | "createQueryCompiler">,
): KyselyDialect {
  return { ...parts, createDriver: () => new DummyDriver() }
}
