import { defineHttp, type HttpSide } from '../frame/http.ts'
import { createRunLoad } from './delivery.ts'
import { openStage, readOutcome, startGateway, startPeer, type Stage } from './stage.ts'

const names = {
  bare: 'node:http, bare',
  memory: 'memory inbox',
  sqlite: 'SQLite inbox',
  postgres: 'PostgreSQL inbox',
}

const sides: readonly HttpSide<Stage>[] = [
  {
    name: names.bare,
    does: 'Reads the body, compares its HMAC in constant time, parses the JSON, answers. No limits, timeouts, events or deduplication.',
    start: () => startPeer('bare'),
  },
  {
    name: names.memory,
    does: 'The complete gateway: failure limit, body limits and timeout, signature, schema, event, idempotency key, redacted headers, recorded in memory, published in batches to a bus that discards events. Schemas are compiled.',
    start: (stage) => startGateway(stage, 'memory'),
  },
  {
    name: names.sqlite,
    does: 'The same, recorded in a SQLite file with `synchronous=FULL` and a compressed body, both in a worker thread. Answers after the durable commit.',
    start: (stage) => startGateway(stage, 'sqlite'),
  },
  {
    name: names.postgres,
    does: 'The same, recorded in PostgreSQL over loopback on the same cores.',
    start: (stage) => startGateway(stage, 'postgres'),
  },
]

const common = {
  unit: 'deliveries/s',
  connections: 64,
  prepare: openStage,
  release: ({ close }: Stage) => close(),
  requests: () => [createRunLoad()],
  agree: readOutcome,
} as const
const who = '64 connections; the load runs on the same machine'

export default [
  defineHttp({
    ...common,
    name: 'accept',
    what: `Signed deliveries of 21 KB, each with a new event, over node:http; ${who}.`,
    base: names.bare,
    sides,
    target: [
      { side: names.sqlite, than: names.memory, atLeast: 0.9 },
      { side: names.postgres, than: names.memory, atLeast: 0.75 },
    ],
  }),
  defineHttp({
    ...common,
    name: 'accept-paced',
    what: `The same at 70 % of the maximum rate of each side; ${who}.`,
    base: names.memory,
    ratio: 'p99',
    share: 0.7,
    sides: sides.filter(({ name }) => name !== names.bare),
    target: [
      { side: names.sqlite, atMost: 2 },
      { side: names.postgres, atMost: 2 },
    ],
  }),
]
