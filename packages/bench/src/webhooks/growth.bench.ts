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

export default inboxes.flatMap(([inbox, words]): Benchmark[] => [
  defineHttp({
    ...common,
    name: `connections-${inbox}`,
    what: `Deliveries of 21 KB to a gateway with ${words}, over an increasing number of connections.`,
    base: '64 connections',
    sides: [1, 8, 64, 512].map((connections) =>
      side(inbox, `${connections} connection${connections === 1 ? '' : 's'}`, { connections }),
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
