export type * from "@latchkey/core/providers"
