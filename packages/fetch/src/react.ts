/** The client for components of React, for actions under `/auth` or the `basePath` of `SessionProvider`. */
"use client"

export * from "@latchkey/client/react"
