/** The client for event handlers, for actions under `/auth`. For another base path, create one. */
export * from "@latchkey/client"
