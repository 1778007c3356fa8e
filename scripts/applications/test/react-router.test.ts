import { testApplication } from "../suites/application.ts"

testApplication("react-router")
