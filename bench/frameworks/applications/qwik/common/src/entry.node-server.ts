import { createServer } from "node:http"
import { createQwikCity } from "@builder.io/qwik-city/middleware/node"
import qwikCityPlan from "@qwik-city-plan"
import render from "./entry.ssr.tsx"

const { HOST = "127.0.0.1", PORT = "3000" } = process.env
const { router, notFound } = createQwikCity({ render, qwikCityPlan })

createServer((request, response) => {
  const miss = () => void notFound(request, response, () => response.end())
  void router(request, response, miss)
}).listen(Number(PORT), HOST)
