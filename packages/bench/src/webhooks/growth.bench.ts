import { defineHttp, type HttpSide } from '../frame/http.ts'
import type { Benchmark } from '../frame/benchmark.ts'
import { createRunLoad } from './delivery.ts'
import { openStage, readOutcome, startGateway, type InboxKind, type Stage } from './stage.ts'

const sizes = [
  ['1 KB', 1024],
  ['10 KB', 10_240],
  ['100 KB', 102_400],
  ['1 MB', 1_048_576],
  ['10 MB', 10_485_760],
] as const

const inboxes = [
  ['memory', 'the memory inbox'],
  ['sqlite', 'the SQLite inbox'],
] as const

const common = {
  unit: 'deliveries/s',
  prepare: openStage,
  release: ({ close }: Stage) => close(),
  requests: () => [createRunLoad()],
  agree: readOutcome,
  rounds: 3,
} as const

/** Starts a separate gateway per side, so that the stored deliveries of one do not slow down the next. */
const side = (inbox: InboxKind, name: string, how: Partial<HttpSide<Stage>>): HttpSide<Stage> => ({
  name,
  does: 'The gateway over node:http.',
  start: (stage) => startGateway(stage, inbox),
  ...how,
})

const count = (amount: number, noun: string): string =>
  `${amount.toLocaleString('en')} ${noun}${amount === 1 ? '' : 's'}`

const loads = inboxes.flatMap(([inbox, words]): Benchmark[] => [
  defineHttp({
    ...common,
    name: `connections-${inbox}`,
    what: `Deliveries of 21 KB to a gateway with ${words}, over an increasing number of connections.`,
    base: '64 connections',
    sides: [1, 8, 64, 1000].map((connections) =>
      side(inbox, count(connections, 'connection'), { connections }),
    ),
  }),
  defineHttp({
    ...common,
    name: `sizes-${inbox}`,
    what: `Deliveries of increasing size to a gateway with ${words}, over 4 connections.`,
    base: '10 KB',
    connections: 4,
    sides: sizes.map(([name, bytes]) => side(inbox, name, { requests: () => [createRunLoad(bytes)] })),
  }),
])

const providers = defineHttp<Stage>({
  ...common,
  name: 'providers',
  what: 'Deliveries of 21 KB for one provider to a gateway with the memory inbox and an increasing number of registered providers, over 64 connections.',
  base: '1 provider',
  connections: 64,
  sides: [1, 10, 50, 200].map((amount) =>
    side('memory', count(amount, 'provider'), {
      start: (stage) => startGateway(stage, 'memory', { PROVIDERS: String(amount) }),
    }),
  ),
})

export default [...loads, providers]
