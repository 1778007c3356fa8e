import { component$ } from "@builder.io/qwik"
import { QwikCityProvider, RouterOutlet } from "@builder.io/qwik-city"
import { Head } from "./components/head.tsx"
import "./app.css"

export default component$(() => (
  <QwikCityProvider>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <link rel="icon" href="data:," />
      <Head />
    </head>
    <body>
      <RouterOutlet />
    </body>
  </QwikCityProvider>
))
