/** The only part of the protocol library that discovery needs: a bundler of an application can leave out the rest. */
export { processDiscoveryResponse } from "oauth4webapi"
