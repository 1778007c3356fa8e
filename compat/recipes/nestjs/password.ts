export * from "../password.ts"
