/** What there is to do in a garden, by the month. */

/** Work of a month, most urgent first. */
export interface Month {
  readonly name: string
  readonly jobs: readonly string[]
}

const months: readonly Month[] = [
  month("January", "Prune apple and pear trees", "Order seeds", "Feed the birds"),
  month("February", "Sow broad beans under cover", "Cut back autumn raspberries", "Chit potatoes"),
  month("March", "Plant onion sets", "Sow tomatoes indoors", "Feed roses"),
  month("April", "Plant potatoes", "Sow carrots and beetroot", "Watch out for late frost"),
  month("May", "Harden off seedlings", "Earth up potatoes", "Net the strawberries"),
  month("June", "Plant out squash and beans", "Water deeply, not often", "Pinch out tomatoes"),
  month("July", "Pick beans every other day", "Sow for autumn", "Deadhead sweet peas"),
  month("August", "Lift onions to dry", "Save seed", "Summer-prune apples"),
  month("September", "Pick apples", "Sow green manure", "Divide perennials"),
  month("October", "Plant garlic", "Gather leaves for mould", "Lift and store carrots"),
  month("November", "Plant tulips", "Mulch bare beds", "Clean and oil the tools"),
  month("December", "Check stored fruit", "Turn the compost", "Plan next year’s beds"),
]

function month(name: string, ...jobs: readonly string[]): Month {
  return { name, jobs }
}

/** The month of a day. */
export function monthOf(day: Date): Month {
  return months[day.getMonth()] ?? month("This month", "Rest")
}
