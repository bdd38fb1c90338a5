/** The items that wait, up to a number and a size. */
interface FairQueue<Item> {
  /** Adds an item. Returns the items that lose their place. */
  readonly add: (item: Item, sender: Sender, bytes: number) => readonly Item[]
  /** Removes and returns all items, oldest first. */
  readonly take: () => readonly Item[]
}

/** Who sends an item, and to which provider or endpoint. */
interface Sender {
  readonly target: string
  readonly client: string
}

/** A part of the limits that is in use. */
interface Share {
  items: number
  bytes: number
}

interface Client<Item> extends Share {
  readonly name: string
  readonly waiting: { readonly item: Item; readonly bytes: number }[]
}

interface Target<Item> extends Share {
  readonly clients: Map<string, Client<Item>>
}

/**
 * Creates a queue for floods. Beyond the number of items, the target with the most items loses first, and of its clients the one
 * with the most items its newest one. Beyond the size, it is the target and the client with the most bytes.
 */
export function createFairQueue<Item>(limits: Readonly<Share>): FairQueue<Item> {
  const targets = new Map<string, Target<Item>>()
  const order = new Set<Item>()
  let total = 0

  function dropOne(by: keyof Share): Item | undefined {
    const target = findLargest(targets.values(), by)
    const client = target && findLargest(target.clients.values(), by)
    const last = client?.waiting.pop()
    if (target === undefined || client === undefined || last === undefined) return undefined
    for (const share of [target, client]) {
      share.items -= 1
      share.bytes -= last.bytes
    }
    if (client.items === 0) target.clients.delete(client.name)
    total -= last.bytes
    order.delete(last.item)
    return last.item
  }

  return {
    add(item, { target: targetName, client: name }, bytes) {
      const target = targets.get(targetName) ?? {
        items: 0,
        bytes: 0,
        clients: new Map<string, Client<Item>>(),
      }
      const client = target.clients.get(name) ?? { name, items: 0, bytes: 0, waiting: [] }
      targets.set(targetName, target)
      target.clients.set(name, client)
      client.waiting.push({ item, bytes })
      for (const share of [target, client]) {
        share.items += 1
        share.bytes += bytes
      }
      total += bytes
      order.add(item)
      const lost: Item[] = []
      while (order.size > 1 && (order.size > limits.items || total > limits.bytes)) {
        const dropped = dropOne(order.size > limits.items ? 'items' : 'bytes')
        if (dropped === undefined) break
        lost.push(dropped)
      }
      return lost
    },
    take() {
      const items = [...order]
      targets.clear()
      order.clear()
      total = 0
      return items
    },
  }
}

/** Returns the largest share; of equal ones, the last that was added. */
function findLargest<One extends Share>(shares: Iterable<One>, by: keyof Share): One | undefined {
  let largest: One | undefined
  for (const share of shares) if (share[by] >= (largest?.[by] ?? 1)) largest = share
  return largest
}
