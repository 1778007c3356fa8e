/** Work in a garden by month. */

/** The tasks of a month, most urgent first. */
export interface Month {
  readonly name: string
  readonly tasks: readonly string[]
}

const months: readonly Month[] = [
  createMonth("January", "Prune apple and pear trees", "Order seeds", "Feed the birds"),
  createMonth(
    "February",
    "Sow broad beans under cover",
    "Cut back autumn raspberries",
    "Chit potatoes",
  ),
  createMonth("March", "Plant onion sets", "Sow tomatoes indoors", "Feed roses"),
  createMonth("April", "Plant potatoes", "Sow carrots and beetroot", "Watch out for late frost"),
  createMonth("May", "Harden off seedlings", "Earth up potatoes", "Net the strawberries"),
  createMonth(
    "June",
    "Plant out squash and beans",
    "Water deeply, not often",
    "Pinch out tomatoes",
  ),
  createMonth("July", "Pick beans every other day", "Sow for autumn", "Deadhead sweet peas"),
  createMonth("August", "Lift onions to dry", "Save seed", "Summer-prune apples"),
  createMonth("September", "Pick apples", "Sow green manure", "Divide perennials"),
  createMonth("October", "Plant garlic", "Gather leaves for mould", "Lift and store carrots"),
  createMonth("November", "Plant tulips", "Mulch bare beds", "Clean and oil the tools"),
  createMonth("December", "Check stored fruit", "Turn the compost", "Plan next year’s beds"),
]

function createMonth(name: string, ...jobs: readonly string[]): Month {
  return { name, tasks: jobs }
}

export function getMonth(day: Date): Month {
  return months[day.getMonth()] ?? createMonth("This month", "Rest")
}
