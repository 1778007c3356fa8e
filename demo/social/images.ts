/** The logo and the profile pictures of the social provider. */

export const plazaLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">
<rect width="24" height="24" rx="6" fill="#b8431f"/>
<g fill="#fff"><rect x="5" y="5" width="6.2" height="6.2" rx="1.6"/><circle cx="15.9" cy="8.1" r="3.1"/>
<circle cx="8.1" cy="15.9" r="3.1"/><rect x="12.8" y="12.8" width="6.2" height="6.2" rx="1.6" opacity=".55"/></g>
</svg>
`

const drawFlower = (ground: string, petal: string, heart: string, petals: number): string => {
  const turn = 360 / petals
  const leaves = Array.from({ length: petals }, (_, index) => {
    const rotation = `rotate(${Math.round(index * turn)} 32 32)`
    return `<ellipse cx="32" cy="18.5" rx="7.5" ry="11" fill="${petal}" transform="${rotation}"/>`
  })
  return `<rect width="64" height="64" fill="${ground}"/>${leaves.join("")}<circle cx="32" cy="32" r="7" fill="${heart}"/>`
}

const drawFern = (): string => {
  const leaflets = [14, 22, 30, 38].flatMap((y, index) => {
    const length = 9 + index * 2.4
    return [-1, 1].map(
      (side) =>
        `<path d="M32 ${y + 8}q${side * length * 0.55}-10 ${side * length}-7q${-side * 2} 8 ${-side * length} 7z" fill="#d7ecd2"/>`,
    )
  })
  return `<rect width="64" height="64" fill="#3c7350"/><path d="M32 10v46" stroke="#d7ecd2" stroke-width="2.4" stroke-linecap="round"/>${leaflets.join("")}`
}

/** Profile pictures by id. */
export const avatarImages: ReadonlyMap<string, string> = new Map(
  Object.entries({
    marigold: drawFlower("#fbe3b4", "#e8930c", "#7a3d05", 10),
    poppy: drawFlower("#e3edd9", "#d23b2e", "#2b2320", 5),
    fern: drawFern(),
  }).map(([id, content]) => [
    id,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="200" height="200">${content}</svg>`,
  ]),
)
