import { testApplication } from "../suites/application.ts"

testApplication("solid-start")
