import { createHttpDestination, type HttpDestination } from '@sallyport/buses/http'
import { codehost } from '@sallyport/providers/codehost'
import { openPostgres } from '@sallyport/sql/postgres'
import { createWebhooks } from '@sallyport/webhooks/node'
import { numberedDeliveries } from '../frame/numbered.ts'
import { startServer } from '../frame/server-process.ts'
import { createRunLoad, secret } from './delivery.ts'
import { openStage, type Stage } from './stage.ts'

export const concurrency = 50
export const destinationSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** When each delivery arrived by its number, in milliseconds since the epoch. */
export type Arrivals = ReadonlyMap<string, number>

/** A database server, and a receiver in its own process. */
export interface DestinationStage extends Stage {
  readonly receiverUrl: string
  /** Waits until a number of deliveries have arrived, and forgets them. */
  readonly arrive: (count: number) => Promise<Arrivals>
}

export const startReceiver = () => startServer(new URL('./servers/receiver.ts', import.meta.url), {})

export async function openDestinationStage(): Promise<DestinationStage> {
  const [stage, receiver] = await Promise.all([openStage(), startReceiver()])
  return {
    ...stage,
    receiverUrl: receiver.url,
    async arrive(count) {
      const response = await fetch(`${receiver.url}/${count}`)
      return new Map((await response.json()) as [string, number][])
    },
    async close() {
      await receiver.stop()
      await stage.close()
    },
  }
}

/** Milliseconds since the epoch, as the receiver measures them. */
export const readTime = (): number => performance.timeOrigin + performance.now()

const createSigned = numberedDeliveries(createRunLoad(2000))

/** A new delivery of 2 KB. Its number is in a header, which destinations in original mode receive. */
export function createDelivery(number: number) {
  const { headers, body } = createSigned()
  return { headers: { ...headers, 'x-number': String(number) }, body }
}

export const open = (url: string, name: string, timeoutMs?: number): HttpDestination =>
  createHttpDestination({
    ...{ url, name, concurrency, mode: 'original', secrets: destinationSecret },
    network: { allowPrivate: true },
    ...(timeoutMs !== undefined && { timeoutMs }),
  })

/** Opens Sallyport on an empty database. It sends nothing before `start`. */
export async function openSender(databaseUrl: string, destinations: readonly HttpDestination[]) {
  const database = await openPostgres({ url: databaseUrl, migrate: true })
  const webhooks = createWebhooks({
    ...{ database, providers: [codehost], secrets: { codehost: secret }, destinations },
  })
  return {
    start: () => {
      webhooks.start()
    },
    async accept(number: number) {
      const init = { method: 'POST', ...createDelivery(number) }
      const response = await webhooks.fetch(new Request('http://localhost/webhooks/codehost', init))
      if (!response.ok) throw new Error(`A delivery was answered with ${response.status}`)
    },
    async close() {
      await webhooks.stop(0)
      await Promise.all(destinations.map((one) => one.close()))
      await database.close()
    },
  }
}
