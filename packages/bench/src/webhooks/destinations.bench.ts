import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { computeRate, forEachConcurrently } from '../engines/events.ts'
import type { Sample } from '../frame/benchmark.ts'
import { computeQuantile } from '../frame/statistics.ts'
import { defineTrial, fullTurnMs } from '../frame/trial.ts'
import {
  concurrency,
  open,
  openDestinationStage,
  openSender,
  readTime,
  startReceiver,
  type DestinationStage,
} from './destination-stage.ts'
import { openLoop } from './destination-loop.ts'

const countTo = (count: number) => Array.from({ length: count }, (_, number) => number)

interface Sender {
  readonly start: () => void
  readonly close: () => Promise<void>
}

/** Returns the deliveries a second from the start of a sender until the last of them has arrived. */
async function measureRate({ arrive }: DestinationStage, sender: Sender, count: number): Promise<Sample> {
  try {
    const startedAt = performance.now()
    sender.start()
    await arrive(count)
    return { value: computeRate(startedAt, count) }
  } finally {
    await sender.close()
  }
}

const backlog = 2000
const countFor = (turnMs: number) => Math.round(backlog * Math.min(1, turnMs / fullTurnMs))

const rate = defineTrial<DestinationStage>({
  name: 'destinations',
  what: `A backlog of 2,000 accepted deliveries of 2 KB on PostgreSQL goes to one receiver in its own process, with up to ${concurrency} requests at once. A tenth or less with --quick.`,
  unit: 'deliveries/s',
  base: 'loop with fetch',
  prepare: openDestinationStage,
  release: ({ close }) => close(),
  sides: [
    {
      name: 'loop with fetch',
      does: `Runs ${concurrency} loops: \`UPDATE … SKIP LOCKED\` of one row, a signature of Standard Webhooks, \`fetch\`, \`UPDATE\` to done. No retries, lanes, limits or leases that end.`,
      turn: async (stage, turnMs) =>
        measureRate(stage, await openLoop(stage, countFor(turnMs)), countFor(turnMs)),
    },
    {
      name: 'Sallyport',
      does: 'Runs `createWebhooks` with `createHttpDestination` in original mode.',
      async turn(stage, turnMs) {
        const count = countFor(turnMs)
        const sender = await openSender(await stage.databaseUrl(), [open(stage.receiverUrl, 'healthy')])
        await forEachConcurrently(countTo(count), 100, sender.accept)
        return measureRate(stage, sender, count)
      },
    },
  ],
})

const perSecond = 50
const warmUp = 2 * perSecond

/** Returns the 99th percentile of the time from a delivery to its arrival, at a steady rate. */
async function measureDelay(
  stage: DestinationStage,
  turnMs: number,
  others: readonly string[],
): Promise<Sample> {
  const destinations = others.map((url, index) => open(url, `other-${index}`, 1000))
  const sender = await openSender(await stage.databaseUrl(), [
    open(stage.receiverUrl, 'healthy'),
    ...destinations,
  ])
  try {
    sender.start()
    const sentAt: number[] = []
    const numbers = countTo(warmUp + Math.round((perSecond * turnMs) / 1000))
    const accepting: Promise<void>[] = []
    const startedAt = performance.now()
    for (const number of numbers) {
      const waitMs = startedAt + (number * 1000) / perSecond - performance.now()
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs)))
      sentAt.push(readTime())
      accepting.push(sender.accept(number))
    }
    await Promise.all(accepting)
    const arrivals = await stage.arrive(numbers.length)
    const delays = numbers.map((number) => (arrivals.get(String(number)) ?? Infinity) - (sentAt[number] ?? 0))
    return { value: computeQuantile(delays.slice(warmUp), 0.99) }
  } finally {
    await sender.close()
  }
}

interface DelayStage extends DestinationStage {
  /** Ten addresses that answer. */
  readonly healthy: readonly string[]
  /** Ten addresses: five refuse connections, five never answer. */
  readonly dead: readonly string[]
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function openDelayStage(): Promise<DelayStage> {
  const [stage, other] = await Promise.all([openDestinationStage(), startReceiver()])
  const silent = createServer((socket) => socket.on('error', () => undefined))
  const [refusing, hanging] = [createServer(), silent]
  const urls = [await listen(refusing), await listen(hanging)]
  refusing.close()
  const close = async () => {
    hanging.close()
    await Promise.all([stage.close(), other.stop()])
  }
  return {
    ...stage,
    healthy: Array.from({ length: 10 }, () => other.url),
    dead: Array.from({ length: 5 }, () => urls).flat(),
    close,
  }
}

const delay = defineTrial<DelayStage>({
  name: 'destinations-beside-dead',
  what: `The 99th percentile of the time from an accepted delivery of 2 KB to its arrival at a healthy destination, at ${perSecond} deliveries a second on PostgreSQL.`,
  unit: 'ms',
  ratio: 'value',
  base: 'beside ten healthy',
  target: { side: 'beside ten dead', atMost: 1.2 },
  prepare: openDelayStage,
  release: ({ close }) => close(),
  sides: [
    {
      name: 'alone',
      does: 'One destination: a delivery stores one row instead of eleven.',
      turn: (stage, turnMs) => measureDelay(stage, 4 * turnMs, []),
    },
    {
      name: 'beside ten healthy',
      does: 'Ten further destinations receive every delivery, in another process.',
      turn: (stage, turnMs) => measureDelay(stage, 4 * turnMs, stage.healthy),
    },
    {
      name: 'beside ten dead',
      does: 'Ten further destinations get every delivery: five refuse connections, and five never answer, with a timeout of 1 s.',
      turn: (stage, turnMs) => measureDelay(stage, 4 * turnMs, stage.dead),
    },
  ],
})

export default [rate, delay]
