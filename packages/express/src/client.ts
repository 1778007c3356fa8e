/** The client for scripts of pages, for actions under `/auth`. For another base path, create one. */
export * from "@latchkey/client"
