import { testApplication } from "../suites/application.ts"

testApplication("hono")
