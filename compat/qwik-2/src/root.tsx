import { component$ } from "@qwik.dev/core"
import { RouterOutlet, useQwikRouter } from "@qwik.dev/router"
import { Head } from "./components/head.tsx"
import "./app.css"

export default component$(() => {
  useQwikRouter()
  return (
    <>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <Head />
      </head>
      <body>
        <RouterOutlet />
      </body>
    </>
  )
})
