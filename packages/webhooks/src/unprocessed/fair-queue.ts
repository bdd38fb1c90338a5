/** The items that wait, up to a number and a size. */
interface FairQueue<Item> {
  /** Adds an item of a client. Returns the items that lose their place. */
  readonly add: (item: Item, client: string, bytes: number) => readonly Item[]
  /** Removes and returns all items, oldest first. */
  readonly take: () => readonly Item[]
}

interface Client<Item> {
  bytes: number
  readonly waiting: { readonly item: Item; readonly bytes: number }[]
}

/** Creates a queue in which the client with the most bytes loses its newest items first when the queue is full. */
export function createFairQueue<Item>(limits: {
  readonly items: number
  readonly bytes: number
}): FairQueue<Item> {
  const clients = new Map<string, Client<Item>>()
  const order = new Set<Item>()
  let total = 0

  function findLargest(): Client<Item> | undefined {
    let largest: Client<Item> | undefined
    for (const client of clients.values()) if (client.bytes >= (largest?.bytes ?? 1)) largest = client
    return largest
  }

  function dropOne(): Item | undefined {
    const largest = findLargest()
    const last = largest?.waiting.pop()
    if (largest === undefined || last === undefined) return undefined
    largest.bytes -= last.bytes
    total -= last.bytes
    order.delete(last.item)
    return last.item
  }

  return {
    add(item, client, bytes) {
      const own = clients.get(client) ?? { bytes: 0, waiting: [] }
      clients.set(client, own)
      own.waiting.push({ item, bytes })
      own.bytes += bytes
      total += bytes
      order.add(item)
      const lost: Item[] = []
      while (order.size > 1 && (order.size > limits.items || total > limits.bytes)) {
        const dropped = dropOne()
        if (dropped === undefined) break
        lost.push(dropped)
      }
      return lost
    },
    take() {
      const items = [...order]
      clients.clear()
      order.clear()
      total = 0
      return items
    },
  }
}
