export * from "@latchkey/core/providers/strava"
export { default } from "@latchkey/core/providers/strava"
