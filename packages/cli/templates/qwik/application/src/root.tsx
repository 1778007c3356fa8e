import "./app.css"
import { component$ } from "@builder.io/qwik"
import { QwikCityProvider, RouterOutlet, useDocumentHead } from "@builder.io/qwik-city"

const Title = component$(() => <title>{useDocumentHead().title}</title>)

export default component$(() => (
  <QwikCityProvider>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <link rel="icon" href="data:," />
      <Title />
    </head>
    <body>
      <RouterOutlet />
    </body>
  </QwikCityProvider>
))
