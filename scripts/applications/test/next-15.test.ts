import { testApplication } from "../suites/application.ts"

testApplication("next-15")
