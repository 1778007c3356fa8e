import { testApplication } from "../suites/application.ts"

testApplication("qwik-2")
