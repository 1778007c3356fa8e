import { expect, test } from "vitest"
import { type ModuleGraph, planChunks } from "../bundle/plan-chunks.ts"

/** Creates a graph from the imports of each module. A dynamic import begins with a question mark. */
function createGraph(modules: Readonly<Record<string, string>>): ModuleGraph {
  return new Map(
    Object.entries(modules).map(([path, imports]) => {
      const targets = imports.split(" ").filter(Boolean)
      const node = {
        imports: targets.filter((each) => !each.startsWith("?")),
        dynamicImports: targets.filter((each) => each.startsWith("?")).map((each) => each.slice(1)),
        size: path.length,
      }
      return [path, node] as const
    }),
  )
}

function plan(modules: Readonly<Record<string, string>>, ...entries: string[]): string[] {
  const chunks = planChunks(createGraph(modules), entries)
  return chunks.map(({ modules }) => [...modules].sort().join(" "))
}

test("modules that the same entries load are one chunk, and those of a single entry are none", () => {
  const modules = { one: "a b own", two: "a", three: "b", a: "c", b: "", c: "", own: "" }
  expect(plan(modules, "one", "two", "three").sort()).toEqual(["a c", "b"])
})

test("a dynamic import does not split what is loaded before it", () => {
  const modules = { one: "a b ?late", two: "a b ?late", a: "", b: "", late: "a rest", rest: "" }
  expect(plan(modules, "one", "two")).toEqual(["a b"])
})

test("a dynamic import of an entry that loads less splits it", () => {
  const modules = { one: "a b", two: "a b", three: "b ?late", a: "", b: "", late: "a" }
  expect(plan(modules, "one", "two", "three").sort()).toEqual(["a", "b"])
})

test("what two dynamic imports share is loaded with either of them", () => {
  const modules = { one: "?late ?later", late: "shared", later: "shared", shared: "" }
  expect(plan(modules, "one")).toEqual(["shared"])
})

test("what one dynamic import loads for the next is a chunk with it", () => {
  const modules = { one: "?late", late: "a ?later", later: "a", a: "" }
  expect(plan(modules, "one")).toEqual(["a"])
})

test("a chunk comes after those that it imports", () => {
  const modules = { one: "a", two: "a", three: "b", a: "b", b: "" }
  expect(plan(modules, "one", "two", "three")).toEqual(["b", "a"])
})

test("a chunk has the name of the largest module that no other of it imports", () => {
  const graph = createGraph({
    one: "root top",
    two: "root top",
    root: "largest",
    top: "",
    largest: "",
  })
  expect(planChunks(graph, ["one", "two"]).map(({ name }) => name)).toEqual(["root"])
})
