export type {
  ConformanceCase,
  ConformanceContext,
  Fixtures,
  Row,
  RowReader,
} from "./conformance/context.ts"
export type { ConformanceOptions } from "./conformance/suite.ts"
export { adapterCases, adapterConformance } from "./conformance/suite.ts"
